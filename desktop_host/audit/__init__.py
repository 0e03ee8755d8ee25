"""The record of every ask. `log.AuditLog` is the face."""
