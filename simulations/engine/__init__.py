"""The compiled discrete-event engine. Door: ``engine.replicate.replicate``."""
