from tempfile import mktemp

name = mktemp(suffix='.csv')  # ← here
