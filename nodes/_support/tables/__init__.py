"""Tables: read out of files, their columns and dates, questions about them, groups, charts, workbooks."""
