"""What happens next: the event loop, its agenda, and how messages move."""
