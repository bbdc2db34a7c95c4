"""How the house is set up, started and tested.

Runs before anything is installed, so it knows the standard library alone (`prepare` excepted).
"""
