"""What a machine says of itself: probes and their parsers."""
