"""The third face: Celery tasks, for all that is slow for a person."""
