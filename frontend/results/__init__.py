"""Runs: the drawer and the list, and the page of one, whole or partial, failed or done."""
