"""benchdash: storage benchmark results, kept whole and compared honestly."""
