import tempfile

def report():
    return tempfile.NamedTemporaryFile('w')
