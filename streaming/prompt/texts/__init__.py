"""What models are told about their work: one file a version, never changed once used."""
