"""Tool output (bytes) to results. Pure: no file, no clock, no database."""
