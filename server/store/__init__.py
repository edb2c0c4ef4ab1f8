"""What outlives a table: players, tokens, finished matches and their records."""
