"""Windows: they show state and send intents; no protocol, no rules.

`messages` and `visible` know no Qt, so the terminal uses them too. `bridge` brings the engine's events to Qt's thread.
`asks/` holds the dialogs of the corridor, `pages/` the pages of the main window, `widgets/` what both are made of.
"""
