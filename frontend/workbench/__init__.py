"""The workbench: the form made from the declarations, the live panel, the run drawer, stored servers and queues."""
