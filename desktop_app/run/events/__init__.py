"""What a run tells, how it is recorded, and the record that comes of it."""
