"""Files in: our formats and those of the published data sets, each with file and line in errors."""
