set -u
APPLY=0  # 1: make the changes; 0: show the plan and change nothing
ANYWAY=0  # 1: also change what has another value than the expected one
