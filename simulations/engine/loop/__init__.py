"""The event loop: deliveries, timers, and how messages move on."""
