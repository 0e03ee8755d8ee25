"""Desktop Host: a native desktop application in which a person meets their MCP servers."""

__version__ = "0.1.0"
