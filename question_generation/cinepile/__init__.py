"""CinePile's way to questions (Rawal et al. 2024, and its version 2): templates, five options."""
