"""A server of HTTP+SSE, the kind before Streamable HTTP: ``python old_http.py PORT``; the address ends in /sse."""

import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("old")


@server.tool()
def echo(text: str) -> str:
    """Say it again."""
    return text


server.run(transport="sse", port=int(sys.argv[1]))
