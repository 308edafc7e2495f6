"""CinePile's front: from a described film and clips of it to scenes with what is seen and said."""
