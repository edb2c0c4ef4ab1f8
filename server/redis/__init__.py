"""How this program talks to Redis; what it says is the journal's and the bus's business."""
