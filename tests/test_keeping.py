"""What an administrator allows to be kept: one "no" is a no, and what cannot be understood is one too."""

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_host.host import Host
from desktop_host.policy.keeping import Keeping, keeping_of
from desktop_host.policy.managed import read_managed
from tests.support.person import ScriptedPerson

NOTHING = Keeping(drafts=False, waiting_asks=False, values=False)


def place(folder: Path, text: str | bytes, name: str = "policy.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def said(places: list[Path]) -> Keeping:
    return keeping_of(one.file for one in read_managed(places))


def test_without_a_policy_everything_may_be_kept(tmp_path: Path) -> None:
    assert said([]) == said([tmp_path, tmp_path / "missing"]) == Keeping(True, True)


@pytest.mark.parametrize(
    ("text", "drafts", "waiting"),
    [
        ("{}", True, True),
        ('{"keep": {}}', True, True),
        ('{"keep": {"drafts": true, "waitingAsks": true}}', True, True),
        ('{"keep": {"drafts": false}}', False, True),
        ('{"keep": {"waitingAsks": false}}', True, False),
        ('{"keep": {"drafts": false, "waitingAsks": false}}', False, False),
        ('// ours\n{"keep": {"drafts": false,},}', False, True),
        ('\ufeff{"keep": {"drafts": false}}', False, True),
    ],
)
@pytest.mark.parametrize("name", ["policy.json", "policy.d/10-keep.json"])
def test_a_policy_says_what_may_be_kept(tmp_path: Path, name: str, text: str, drafts: bool, waiting: bool) -> None:
    place(tmp_path, text, name)
    assert said([tmp_path]) == Keeping(drafts, waiting)


@pytest.mark.parametrize("word", ['"true"', "1", "null", "{}", "[]", '"yes"'])
def test_what_is_neither_true_nor_false_is_a_no(tmp_path: Path, word: str) -> None:
    place(tmp_path, f'{{"keep": {{"drafts": {word}}}}}')
    assert said([tmp_path]) == NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "keep nothing",
        "[]",
        "null",
        "true",
        '"keep"',
        '{"keep": null}',
        '{"keep": false}',
        '{"keep": []}',
        '{"keep": "nothing"}',
        '{"servers": {}, "keep": {"other": false}}',
        '{"keep": {"drafts": true}'.encode("utf-16"),
        b'{"keep": {"drafts": true}, "by": "\xff"}',
        "[" * 200_000,
        '{"keep": {}, "number": %s}' % ("9" * 5000),
    ],
    ids=[
        *("empty", "half written", "no JSON", "a list", "null", "true", "a text"),
        *("keep of null", "keep of false", "keep of a list", "keep of a text", "something unknown"),
        *("UTF-16", "no UTF-8", "too deep", "a number too long"),
    ],
)
@pytest.mark.parametrize("name", ["policy.json", "policy.d/10-keep.json"])
def test_a_policy_that_cannot_be_understood_lets_nothing_be_kept(tmp_path: Path, name: str, text: str | bytes) -> None:
    place(tmp_path, text, name)
    assert said([tmp_path]) == NOTHING


def test_a_policy_that_cannot_be_read_lets_nothing_be_kept(tmp_path: Path) -> None:
    (tmp_path / "policy.json").mkdir()
    assert said([tmp_path]) == NOTHING


def test_one_no_is_a_no_wherever_it_stands(tmp_path: Path) -> None:
    yes, no = '{"keep": {"drafts": true, "waitingAsks": true}}', '{"keep": {"drafts": false}}'
    names = ("policy.json", "policy.d/a.json", "policy.d/b.json", "policy.d/c.json")
    for number, refusing in enumerate(names):
        one, two = tmp_path / f"{number}" / "one", tmp_path / f"{number}" / "two"
        for name in names:
            place(one, no if name == refusing else yes, name)
            place(two, yes, name)
        for places in ([one, two], [two, one]):
            assert said(places) == Keeping(drafts=False, waiting_asks=True)


def test_several_files_add_up(tmp_path: Path) -> None:
    place(tmp_path, '{"keep": {"drafts": false}}', "policy.d/a.json")
    place(tmp_path, '{"keep": {"waitingAsks": false}}', "policy.d/b.json")
    assert said([tmp_path]) == Keeping(drafts=False, waiting_asks=False)


def test_only_json_files_of_the_folder_are_a_policy(tmp_path: Path) -> None:
    for name in ("policy.d/keep.json.bak", "policy.d/README", "policy.d/more/keep.json", "other.json"):
        place(tmp_path, '{"keep": {"drafts": false}}', name)
    assert said([tmp_path]) == Keeping()


async def test_the_program_keeps_what_the_policy_of_this_computer_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new_host: Callable[..., Host]
) -> None:
    place(tmp_path / "managed", '{"keep": {"waitingAsks": false}}')
    monkeypatch.setattr("desktop_host.policy.managed.managed_places", lambda: (tmp_path / "managed",))
    host = new_host(ScriptedPerson())
    await host.kept["drafts"].keep("one", {})
    await host.kept["waiting"].keep("one", {})
    found = {name: list(await files.all()) for name, files in host.kept.items()}
    assert found == {"drafts": ["one"], "waiting": []}
