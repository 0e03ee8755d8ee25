"""The same Host from a terminal. `main.main` parses and dispatches; each command is a module."""
