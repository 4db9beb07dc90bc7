"""The agenda of timers, and the waiting lines of messages."""
