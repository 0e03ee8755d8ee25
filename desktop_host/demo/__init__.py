"""The bundled travel server, one story in both protocol eras. Started as a process, imported by nobody.

`stories`: what its tools do. `server`: how a story is told over the protocol. `page`: the airline's web page.
"""
