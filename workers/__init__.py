"""The third face: Celery tasks, for all that is slow for a person."""

# What workers say is stored, so it is English: no language is active here, and gettext's `_` only
# marks a text for the catalogue. Readers get it in their language by results/language.py.
