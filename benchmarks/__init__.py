"""`make bench`: what benchdash costs, as ratios to a known baseline on the same machine."""
