"""Who works next: pools, the choice among waiting ports, constraints and growth."""
