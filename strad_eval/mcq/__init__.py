"""Multiple-choice questions about videos: CinePile's and JointAVBench's scoring of raw answers."""
