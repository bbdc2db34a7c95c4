"""What was requested: targets, plans, jobs. Mutable; job_states.py holds every legal change of state."""
