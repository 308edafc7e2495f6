"""Pages on this computer for people: plain forms that work without a script (docs/adr/0033)."""
