"""What is timed inside of Django: modules for processes of their own, each with its database."""

import django

django.setup()
