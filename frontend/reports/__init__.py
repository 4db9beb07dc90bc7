"""Saved reports: page, file, decision and sign-off."""
