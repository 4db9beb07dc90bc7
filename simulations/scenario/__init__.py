"""A scenario as a whole: its parts, its sweep, the run it asks for, its file."""
