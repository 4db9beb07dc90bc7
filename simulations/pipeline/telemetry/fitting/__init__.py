"""From checked rows to the numbers of a scenario, and the check against what was held out."""
