"""The admin site: who may sign in, and everything else to be looked at."""

from planner.admin import records
