"""From replications to estimates with intervals: metrics, points, curves, stability."""
