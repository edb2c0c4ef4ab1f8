"""What is generated from the protocol's types, and how."""
