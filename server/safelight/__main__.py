"""``python -m safelight``."""

import sys

from safelight.cli import main

sys.exit(main())
