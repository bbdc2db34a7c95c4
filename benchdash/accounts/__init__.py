"""People: who may do what, their preferences, their API tokens."""
