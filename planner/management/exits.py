"""How a command ends, as a number for pipelines."""

EXIT_OBJECTIVE_MISSED = 1
EXIT_INVALID = 2
"""The input or the environment must be corrected."""
EXIT_DRIFTED = 2
"""Of ``check_drift``: as ``terraform plan -detailed-exitcode`` says it."""
EXIT_DRIFT_UNKNOWN = 1
"""Of ``check_drift``: an error, so that 2 can mean differences."""
EXIT_UNAVAILABLE = 3
EXIT_OPEN = 4
"""The evidence does not suffice yet."""
EXIT_DEFECT = 70
"""The program's own fault, for example a replication that fails its self-checks."""
EXIT_STOPPED = 130
"""Ctrl-C, as shells count it."""
EXIT_UNREAD = 141
"""The reader of the output went away, as shells count it."""
FAILURES = "2 invalid input, 3 a service is unavailable, 70 a defect of Sluice"
EXIT_CODES = f"Exit codes: 0 done, 1 an objective is missed at a point, {FAILURES}."
