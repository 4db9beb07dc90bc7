"""Telemetry: logs of messages become a scenario that is checked against what the log shows."""
