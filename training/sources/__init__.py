"""Where material comes from: manifests, the data sets' tables, described videos."""
