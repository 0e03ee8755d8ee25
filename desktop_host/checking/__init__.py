"""JSON Schema and pattern checks in a process that is killed at its time limit.

`checker.Checker` is the face; `worker` is what runs in the process.
"""
