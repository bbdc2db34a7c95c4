"""All statistics, over lists of numbers; NumPy is imported where it is used."""
