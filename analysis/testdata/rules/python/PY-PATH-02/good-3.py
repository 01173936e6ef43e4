import zipfile

def unpack(path, folder):
    zipfile.ZipFile(path).extractall(folder)
