"""What was requested: targets, plans, jobs. Mutable; progress.py holds every legal change of state."""
