"""The third face: Celery tasks, and all that speaks SSH."""
