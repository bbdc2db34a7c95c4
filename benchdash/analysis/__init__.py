"""All statistics, over lists of numbers."""
