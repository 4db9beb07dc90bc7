"""What the engine simulates: pools of threads, streams of messages, their deliveries and their load."""
