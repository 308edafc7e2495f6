"""Operations: what the service measures of itself, and how it tells."""
