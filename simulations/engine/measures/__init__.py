"""What is measured while the loop runs, and the result that leaves it."""
