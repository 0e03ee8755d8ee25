"""A server of the modern era with resources, templates and prompts, written with the Python SDK's high level.

Its tool `write` changes the note, `publish` adds a resource; both tell those who listen.
"""

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import Completion

library = MCPServer("library")
note = {"text": "first"}


@library.resource("note://today", title="Today's note", mime_type="text/plain")
def today() -> str:
    return note["text"]


@library.resource("book://{author}/{title}", title="A book")
def book(author: str, title: str) -> str:
    return f"{title} by {author}"


@library.resource("picture://dot", title="A dot", mime_type="application/octet-stream")
def picture() -> bytes:
    return bytes(range(256))


@library.prompt(title="Review a book")
def review(title: str, tone: str = "kind") -> str:
    return f"Write a {tone} review of {title}."


@library.completion()
async def complete(ref, argument, context):
    names = ["Emma", "Evelina", "Persuasion"]
    return Completion(values=[one for one in names if one.lower().startswith(argument.value.lower())])


@library.tool()
async def write(text: str, ctx: Context) -> str:
    note["text"] = text
    await ctx.notify_resource_updated("note://today")
    return "written"


@library.tool()
async def publish(ctx: Context) -> str:
    library.add_resource(_resource())
    await ctx.notify_resources_changed()
    return "published"


def _resource():
    from mcp.server.mcpserver.resources import TextResource

    return TextResource(uri="note://new", name="new", title="A new one", text="new")


if __name__ == "__main__":
    library.run()
