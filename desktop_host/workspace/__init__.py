"""Workspace roots: folders a person offers to servers. They coordinate; they are no security boundary (ROOT-12).

`roots.Workspace` keeps them in `roots.json`.
"""
