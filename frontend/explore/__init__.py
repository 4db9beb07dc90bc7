"""The Explore page: best setting, map, sensitivity and headroom."""
