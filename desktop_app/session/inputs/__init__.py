"""What goes into the inputs of a workflow: what lacks, clicks and replies put in, the files that a wish is for."""
