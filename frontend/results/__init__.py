"""The page of a run, whole or partial, failed or done."""
