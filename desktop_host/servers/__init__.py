"""One connection per server; the protocol eras meet and end here.

`connection.Connection` is the face. `session`: the SDK's session with our capabilities and raw messages.
`handshake` and `modern`: how asks travel in each era. `stdio`, `http`: transports that survive faults.
"""
