"""The admin site: servers and queues may be changed; what proves a result is only shown."""

from planner.admin import inventory, records
