"""The path of the messages as one picture: what it shows, where the bottleneck is, and where everything lies."""
