"""The third interface: Celery tasks, for all that is slow for a person."""

# No language is active here: sentences are stored with template and values (`N_`), and readers get
# them in their language by results/language.py.
