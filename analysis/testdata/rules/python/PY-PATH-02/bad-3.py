import tarfile

def install(path):
    tarfile.open(path, 'r:gz').extractall(path='/opt/plugins')  # ← here
