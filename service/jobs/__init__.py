"""Jobs: whole files described in the background, from an upload or a URL to their results."""
