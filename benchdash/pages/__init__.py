"""The HTML face."""
