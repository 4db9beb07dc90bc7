"""What can be declared: settings with units and limits, distributions, sizes, paths, and the problems of bad input."""
