"""The life of a job: dispatch, claim, lease, heartbeat, pause, execute, end, reap."""
