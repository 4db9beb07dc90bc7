"""The page of calibrations."""
