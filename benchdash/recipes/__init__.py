"""Remote runs as data."""
