"""The HTML interface."""
