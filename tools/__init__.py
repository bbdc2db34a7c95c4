"""Sets the project up, starts it and tests it; not part of what is installed on a server.

`run` and what it imports use the standard library alone: they work before anything is installed.
"""
