"""The environment and Django's settings made from it."""
