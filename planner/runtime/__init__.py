"""Everything on one machine with one command: bootstrap, supervisor, and the services it runs."""
