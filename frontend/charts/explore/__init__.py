"""The charts of a search: the map, the front, lines along one knob, all runs, and what the answer depends on."""
