"""The validation campaign: exact answers, other simulators and the coverage of intervals."""
