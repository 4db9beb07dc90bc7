"""From several vendor files to one scenario with an account of every element."""
