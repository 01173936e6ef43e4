import tarfile

def unpack(path, folder):
    archive = tarfile.open(path)
    archive.extractall(folder)  # ← here
