"""How requests reach Django under an ASGI server, and what they take meanwhile."""
