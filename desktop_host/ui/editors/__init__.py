"""One editor for each kind of field; `make.make_editor` chooses. It holds what was typed, not what it may mean."""
