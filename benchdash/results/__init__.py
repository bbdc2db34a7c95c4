"""What was measured: studies, artifacts, runs, measurements. Numbers enter through ingest.py."""
