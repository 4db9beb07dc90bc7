"""Spark: its processes, sessions and executors."""
