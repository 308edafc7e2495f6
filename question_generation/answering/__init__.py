"""CinePile's study of people: clips are watched, questions answered, wrong answers audited."""
