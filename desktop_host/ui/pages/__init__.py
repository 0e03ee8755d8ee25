"""The pages of the main window. A page that is not built yet is not shown."""
