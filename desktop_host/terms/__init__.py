"""The words every room speaks: frozen, plain data that may cross threads and processes.

`messages`: `Message` and `say`, a sentence below the windows. `asks`: `Ask`, `Origin`, `Finding`, `Decision`,
`Answer`, `Record`. `state`: what is shown of servers, tools and calls. `events`: what the engine tells.
`hidden`: characters that show nothing.
"""
