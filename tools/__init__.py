"""How the project is set up, started and tested; no part of what is installed on a server.

`run` and what it imports work before anything is installed: by the standard library alone.
"""
