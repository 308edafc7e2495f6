"""The study page's style and script, served from here: nothing is fetched from anywhere else."""
