"""The dialogs of the corridor, one file per kind. `frame.AskWindow` is what they share."""
