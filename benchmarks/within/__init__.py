"""Benchmarks that run inside Django: each module in a process and a database of its own."""

import django

django.setup()
