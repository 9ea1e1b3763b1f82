"""`python -m desktop_app` is the command `graphwright`."""

import sys

from desktop_app.cli.main import main

sys.exit(main())
