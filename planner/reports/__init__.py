"""Reports: payload, schema, tables, evidence, checklist, capsule, paper and hashes."""
