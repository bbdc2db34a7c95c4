"""`make bench`: what the house costs, side by side with something that everybody has."""
