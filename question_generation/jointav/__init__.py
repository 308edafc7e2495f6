"""JointAVBench's way: questions that need both eyes and ears, and a measure of whether they do."""
