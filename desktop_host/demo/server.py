"""The travel server over the protocol: stories told in the handshake and in the modern era."""

import argparse
import asyncio
import json
import socket
import sys
import threading
from typing import Any, cast

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter

from desktop_host import __version__
from desktop_host.demo.page import AirlinePages
from desktop_host.demo.stories import TOOLS, Json, Page, Progress, Story

_LONG_POLL = 20.0
_PATIENCE = 600.0
_RESULTS: dict[str, Any] = {
    "elicitation/create": types.ElicitResult,
    "sampling/createMessage": types.CreateMessageResult,
    "roots/list": types.ListRootsResult,
}
_REQUEST: TypeAdapter[types.InputRequest] = TypeAdapter(types.InputRequest)
_BY_NAME = {tool.name: tool for tool in TOOLS}

Context = ServerRequestContext[Any]


class TravelServer:
    """Answers the protocol for the stories."""

    def __init__(self) -> None:
        self._pages = AirlinePages()
        self.server: Server[Any] = Server(
            "desktop-host-demo",
            version=__version__,
            title="Travel planner",
            instructions="A travel planner that shows what servers may ask of a person.",
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )

    async def _list_tools(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        tools = [
            types.Tool(
                name=tool.name,
                title=tool.title,
                description=tool.description,
                input_schema=tool.arguments,
                output_schema=tool.output,
                annotations=types.ToolAnnotations(read_only_hint=tool.read_only, destructive_hint=False),
            )
            for tool in TOOLS
        ]
        return types.ListToolsResult(tools=tools, ttl_ms=0, cache_scope="private")

    async def _call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = _BY_NAME.get(params.name)
        if tool is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"There is no tool {params.name}")
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return await self._round(ctx, params)
        page_id = self._pages.new_id()
        story = tool.tell(params.arguments or {}, Page(self._pages.url(page_id), page_id))
        return await self._tell(ctx, story, page_id)

    async def _tell(self, ctx: Context, story: Story, page_id: str) -> types.CallToolResult:
        """Handshake: ask while the call is open."""
        try:
            step = next(story)
            while True:
                if isinstance(step, Progress):
                    await self._progress(ctx, step)
                    step = next(story)
                    continue
                answers = await asyncio.gather(*(self._ask(ctx, request) for request in step.values()))
                await self._await_page(ctx, step, dict(zip(step, answers, strict=True)), page_id)
                step = story.send(dict(zip(step, answers, strict=True)))
        except StopIteration as end:
            return types.CallToolResult.model_validate(end.value)

    async def _ask(self, ctx: Context, request: Json) -> Json:
        typed = _REQUEST.validate_python(request)
        try:
            result = await ctx.session.send_request(cast("Any", typed), _RESULTS[request["method"]])
        except MCPError as error:
            return {"error": error.message}
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def _await_page(self, ctx: Context, step: dict[str, Json], answers: Json, page_id: str) -> None:
        for key, request in step.items():
            if request["params"].get("mode") == "url" and answers[key].get("action") == "accept":
                await asyncio.to_thread(self._pages.wait, page_id, _PATIENCE)
                await ctx.session.send_elicit_complete(page_id)

    async def _progress(self, ctx: Context, step: Progress) -> None:
        await ctx.session.report_progress(step.done, step.total, step.text)
        await asyncio.sleep(step.seconds)

    async def _round(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Modern: tell the story from the beginning with the answers so far, until it asks something new."""
        fresh: Json = {"page": self._pages.new_id(), "answers": []}
        state: Json = json.loads(params.request_state) if params.request_state else fresh
        if params.input_responses is not None:
            answers = {
                key: answer.model_dump(by_alias=True, mode="json", exclude_none=True)
                for key, answer in params.input_responses.items()
            }
            state["answers"].append(answers)
        page = Page(self._pages.url(state["page"]), state["page"])
        story = _BY_NAME[params.name].tell(params.arguments or {}, page)
        told = list(state["answers"])
        try:
            step = next(story)
            while True:
                if isinstance(step, Progress):
                    if not state["answers"]:
                        await self._progress(ctx, step)
                    step = next(story)
                elif told and await self._page_done(step, told[0], state["page"]):
                    step = story.send(told.pop(0))
                else:
                    if told:  # the page is not completed yet: the same link once more
                        state["answers"].pop()
                    return self._required(step, state)
        except StopIteration as end:
            return types.CallToolResult.model_validate(end.value)

    async def _page_done(self, step: dict[str, Json], answers: Json, page_id: str) -> bool:
        for key, request in step.items():
            if request["params"].get("mode") == "url" and answers[key].get("action") == "accept":
                return await asyncio.to_thread(self._pages.wait, page_id, _LONG_POLL)
        return True

    def _required(self, step: dict[str, Json], state: Json) -> types.InputRequiredResult:
        requests = {key: _modern_request(request) for key, request in step.items()}
        return types.InputRequiredResult(
            input_requests={key: _REQUEST.validate_python(request) for key, request in requests.items()},
            request_state=json.dumps(state),
        )


def _modern_request(request: Json) -> Json:
    params = {key: value for key, value in request["params"].items() if key != "elicitationId"}
    return {**request, "params": params}


async def _serve_stdio() -> None:
    travel = TravelServer()
    async with stdio_server() as (read, write):
        await travel.server.run(read, write, travel.server.create_initialization_options())


async def _serve_http() -> None:
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    app = TravelServer().server.streamable_http_app()
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=1))
    threading.Thread(target=_stop_at_end_of_input, args=(server,), daemon=True).start()
    sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp\n")
    sys.stdout.flush()
    await server.serve(sockets=[listening])


def _stop_at_end_of_input(server: Any) -> None:
    """Whoever started us holds our input open; when it goes, we go."""
    sys.stdin.buffer.read()
    server.should_exit = True


def main(arguments: list[str]) -> None:
    """Serve over stdio, or over Streamable HTTP on loopback (the address is the first line on standard output)."""
    parser = argparse.ArgumentParser(prog="desktop-host __demo")
    parser.add_argument("--http", action="store_true")
    asyncio.run(_serve_http() if parser.parse_args(arguments).http else _serve_stdio())
