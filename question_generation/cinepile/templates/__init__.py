"""Templates out of people's questions: names taken out, clustered, told by a model, reviewed."""
