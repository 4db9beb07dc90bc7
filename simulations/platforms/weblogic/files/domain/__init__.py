"""A domain: its configuration and JMS modules, what WLST prints of it, and which name means which object."""
