import os

name = os.tempnam('/tmp')  # ← here
