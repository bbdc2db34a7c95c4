"""How requests reach Django under an ASGI server, and the bounds on their resources."""
