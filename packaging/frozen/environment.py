"""Runtime hook for Linux, before anything of ours: children get the environment that we were started with.

PyInstaller's loader points LD_LIBRARY_PATH at the bundle. The dynamic linker has read it by now; a browser or a server
that we start would load our libraries instead of its own. QT_PLUGIN_PATH names plug-ins for the Qt of the system: ours
cannot load them, and finds its own beside its libraries.
"""

import os

_ORIGINAL = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
os.environ.pop("LD_LIBRARY_PATH", None)
os.environ.pop("QT_PLUGIN_PATH", None)
if _ORIGINAL:
    os.environ["LD_LIBRARY_PATH"] = _ORIGINAL
