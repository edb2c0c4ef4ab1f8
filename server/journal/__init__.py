"""The log of every table's inputs, and who owns the table. It knows bytes, never messages."""
