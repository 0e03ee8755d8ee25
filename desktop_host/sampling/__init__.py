"""Requests a server makes to a language model, and the answers that go back.

`draft`: a request as the person edits it. `choice`: which model, and why. `models`: the providers behind one face.
"""
