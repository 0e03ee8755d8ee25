"""Files and secrets of the person.

`paths`: where they are. `files`: atomic writes, JSON with comments. `servers_file`: `servers.json`. `settings`: the
declared table of settings. `approvals`: servers that may start. `secrets`: the keyring. `processes`: our children.
"""
