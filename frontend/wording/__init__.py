"""Numbers, units, settings and workloads in words."""
