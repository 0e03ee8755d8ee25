"""Runtime hook for Linux, run before anything of ours: children get the environment that we were started with.

PyInstaller's loader points LD_LIBRARY_PATH at the bundle, and the dynamic linker has read it by now: a browser or a
server that we start must not load our libraries in place of its own. The loader's notes to itself (`_PYI_…`) would keep
it from setting up our own child processes. QT_PLUGIN_PATH names plug-ins for another Qt than ours, which finds its own
by itself.
"""

import os

_ORIGINAL = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
for _name in [name for name in os.environ if name.startswith("_PYI_") or name in ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH")]:
    del os.environ[_name]
if _ORIGINAL:
    os.environ["LD_LIBRARY_PATH"] = _ORIGINAL
