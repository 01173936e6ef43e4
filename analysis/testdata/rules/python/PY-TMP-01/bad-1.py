import tempfile

def report():
    name = tempfile.mktemp()  # ← here
    return open(name, 'w')
