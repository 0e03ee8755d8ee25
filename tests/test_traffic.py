"""Every message to and from a server, as its developer sees them."""

import json
import sys
from pathlib import Path

from desktop_host.commands import Commands
from desktop_host.config.servers_file import ServerEntry
from tests.support.wire import SERVERS


async def test_traffic_is_paired_masked_and_exported(folders: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    commands = Commands(lambda event: None, None, demo=False)
    entry = ServerEntry("server", command=sys.executable, args=(str(SERVERS / "library.py"),))
    commands.host.add(entry, trusted=True)
    try:
        assert await commands.host.start("server") is None
        await commands.host.call("server", "write", {"text": f"token {secret}"})
        entries = await commands.traffic("server", 0)
        assert [one.number for one in entries] == list(range(len(entries)))
        asked = next(one for one in entries if one.kind == "request" and one.method == "tools/call")
        answer = next(one for one in entries if one.kind == "result" and one.request_id == asked.request_id)
        assert (asked.sent, answer.sent, answer.method) == (True, False, "tools/call")
        assert answer.took is not None
        shown = await commands.message("server", asked.number)
        assert '"name": "write"' in shown
        assert secret not in shown
        await commands.host.call("server", "write", {"text": "ada@example.com"})
        said = [one.number for one in await commands.traffic("server", 0) if one.method == "tools/call"][-2]
        assert "ada@example.com" in await commands.message("server", said)
        await commands.change_settings({"record.masked": "email"})
        assert "«email 1»" in await commands.message("server", said)
        path = tmp_path / "traffic.jsonl"
        assert await commands.export_traffic("server", str(path)) is None
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert len(lines) >= len(entries)
        assert secret not in path.read_text()
        assert "ada@example.com" not in path.read_text()
        assert lines[asked.number]["message"]["method"] == "tools/call"
        assert await commands.traffic("server", len(lines) + 5) == ()
    finally:
        await commands.close()
