"""A server written with the Python SDK's high level: forms, links, and links that a call needs first.

``python everything.py [http]``. Over HTTP it prints its address once it listens. It has the tools that `everything.cjs`
has, so that a host can meet both alike. They stand in for the "everything" servers of the Python SDK and of the
conformance suite, which neither PyPI nor npm has.
"""

import asyncio
import json
import socket
import sys
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import uvicorn
from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, MCPServer, Resolve
from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp_types import (
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
)
from pydantic import BaseModel, Field

MODERN = "2026-07-28"
PATIENCE = 10.0


@dataclass
class Page:
    """A web page that somebody must visit; `tell` is called when they do."""

    id: str
    url: str
    tell: Callable[[str], Awaitable[None]] | None
    visited: asyncio.Event = field(default_factory=asyncio.Event)


class Pages:
    """Web pages on loopback, served from the first one on."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._pages: dict[str, Page] = {}

    async def new(self, tell: Callable[[str], Awaitable[None]] | None = None) -> Page:
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        page_id = uuid.uuid4().hex
        page = self._pages[page_id] = Page(page_id, f"http://127.0.0.1:{port}/{page_id}", tell)
        return page

    def __getitem__(self, page_id: str) -> Page:
        return self._pages[page_id]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        page = self._pages[request.split()[1].decode()[1:]]
        page.visited.set()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        if page.tell is not None:
            await page.tell(page.id)


class Everything(BaseModel):
    """Every kind of field, with a default where there can be one."""

    name: str = Field(title="Name", min_length=2, max_length=20)
    email: str = Field("mo@example.org", title="E-mail", json_schema_extra={"format": "email"})
    birthday: str | None = Field(None, title="Birthday", json_schema_extra={"format": "date"})
    age: int = Field(30, title="Age", ge=0, le=150)
    score: float = Field(95.5, title="Score")
    verified: bool = Field(True, title="Verified")
    status: str = Field("active", title="Status", json_schema_extra={"enum": ["active", "inactive", "pending"]})
    priority: str = Field(
        "low",
        title="Priority",
        json_schema_extra={"oneOf": [{"const": "low", "title": "Low"}, {"const": "high", "title": "High"}]},
    )
    rights: list[str] = Field(
        ["read"],
        title="Rights",
        min_length=1,
        max_length=2,
        json_schema_extra={"items": {"type": "string", "enum": ["read", "write", "execute"]}},
    )
    topics: list[str] = Field(
        ["bug"],
        title="Topics",
        json_schema_extra={
            "items": {"anyOf": [{"const": "bug", "title": "Bug fix"}, {"const": "docs", "title": "Documents"}]}
        },
    )
    size: str = Field(
        "small",
        title="Size",
        json_schema_extra={"enum": ["small", "large"], "enumNames": ["Small size", "Large size"]},
    )


class Name(BaseModel):
    """The first form of `rounds`."""

    name: str


class Sure(BaseModel):
    """The second form of `rounds`."""

    sure: bool


server = MCPServer("everything")
pages = Pages()
needed: dict[str, list[Page]] = {}


async def ask_everything() -> Elicit[Everything]:
    return Elicit("Every kind of field", Everything)


@server.tool(structured_output=False)
async def form(answer: Annotated[ElicitationResult[Everything], Resolve(ask_everything)]) -> str:
    """A form with every kind of field; the answer as it came."""
    if isinstance(answer, AcceptedElicitation):
        return json.dumps({"action": answer.action, "content": answer.data.model_dump(exclude_unset=True)})
    return json.dumps({"action": answer.action})


@server.tool(structured_output=False)
async def link(ctx: Context) -> str | InputRequiredResult:
    """A link to a page. In the modern era it comes back until the page was visited."""
    if ctx.protocol_version == MODERN:
        page = pages[ctx.request_state] if ctx.request_state else await pages.new()
        answer = (ctx.input_responses or {}).get("page")
        if isinstance(answer, ElicitResult) and (answer.action != "accept" or page.visited.is_set()):
            return answer.action
        return InputRequiredResult(input_requests={"page": _link(page)}, request_state=page.id)
    page = await pages.new(ctx.session.send_elicit_complete)
    reply = await ctx.elicit_url("Please sign in", page.url, page.id)
    if reply.action == "accept":
        await asyncio.wait_for(page.visited.wait(), PATIENCE)
    return reply.action


@server.tool(structured_output=False)
async def links(case: str, count: int, ctx: Context) -> str:
    """Fails with the links that must be opened first, until all their pages were visited."""
    if case not in needed:
        needed[case] = [await pages.new(ctx.session.send_elicit_complete) for _ in range(count)]
    missing = [page for page in needed[case] if not page.visited.is_set()]
    if missing:
        raise UrlElicitationRequiredError(
            [ElicitRequestURLParams(message="Please sign in", url=one.url, elicitation_id=one.id) for one in missing]
        )
    return "done"


@server.tool(structured_output=False)
async def rounds(ctx: Context) -> str | InputRequiredResult:
    """A form and a link at once, and then another form; what was answered."""
    if ctx.protocol_version != MODERN:
        page = await pages.new()
        name = await ctx.elicit("Who are you?", Name)
        opened = await ctx.elicit_url("Please sign in", page.url, page.id)
        sure = await ctx.elicit("Are you sure?", Sure)
        assert isinstance(name, AcceptedElicitation)
        assert isinstance(sure, AcceptedElicitation)
        return json.dumps([name.data.name, opened.action, sure.data.sure])
    answers: dict[str, Any] = dict(ctx.input_responses or {})
    if "sure" in answers and ctx.request_state:
        return json.dumps([*json.loads(ctx.request_state), answers["sure"].content["sure"]])
    if answers:
        state = json.dumps([answers["name"].content["name"], answers["page"].action])
        return InputRequiredResult(input_requests={"sure": _form("Are you sure?", Sure)}, request_state=state)
    asked = {"name": _form("Who are you?", Name), "page": _link(await pages.new())}
    return InputRequiredResult(input_requests=asked, request_state="first")


def _form(message: str, schema: type[BaseModel]) -> ElicitRequest:
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema.model_json_schema()))


def _link(page: Page) -> ElicitRequest:
    return ElicitRequest(params=ElicitRequestURLParams(message="Please sign in", url=page.url))


async def _serve_http() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(server.streamable_http_app(), log_level="error", timeout_graceful_shutdown=1)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
    await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    asyncio.run(_serve_http() if sys.argv[1:] == ["http"] else server.run_stdio_async())
