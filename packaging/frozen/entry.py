"""The frozen program's entry."""

from desktop_host.__main__ import main

main()
