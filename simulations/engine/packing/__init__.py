"""A network as records: the layout, the numbering and the checks before the loop."""
