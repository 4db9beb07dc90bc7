"""The engine's state: arrays of records, their memory and their views."""
