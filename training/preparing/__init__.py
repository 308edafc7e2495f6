"""``strad-train prepare``: material to a data set of examples, film by film."""
