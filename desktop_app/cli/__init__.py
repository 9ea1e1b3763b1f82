"""What the commands of cli.py do, one file each. Works without Qt."""
