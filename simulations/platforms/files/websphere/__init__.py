"""What WebSphere's files and wsadmin scripts have in common on z/OS and elsewhere."""
