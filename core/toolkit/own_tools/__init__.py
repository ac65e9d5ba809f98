"""Tools of one's own: found in files and packages of the operator's, made and called as those of the house are."""
