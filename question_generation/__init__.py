"""Multiple-choice questions about films, from what is seen and said: CinePile, JointAVBench."""
