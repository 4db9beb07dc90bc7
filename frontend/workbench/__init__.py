"""The workbench: the form made from the declarations, the live panel, stored servers and queues."""
