import tempfile

handle, name = tempfile.mkstemp()
