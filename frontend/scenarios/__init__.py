"""The table of scenarios: filters, saved views, versions and what differs between two."""
