"""What people corrected in a description becomes examples; nothing else is made up."""
