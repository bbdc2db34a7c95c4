"""What was asked: targets, plans, jobs. Mutable; progress.py holds every legal change of state."""
