"""What stops a start."""


class StartProblem(RuntimeError):
    """Something the person at the keyboard can mend; the message says what and how."""
