"""``strad-qa``: the command line of question generation."""
