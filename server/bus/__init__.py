"""Fan-out between processes: at most once, by exact channel. It knows bytes, never messages."""
