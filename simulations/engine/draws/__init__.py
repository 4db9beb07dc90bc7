"""Addressed random numbers and the laws drawn from them."""
