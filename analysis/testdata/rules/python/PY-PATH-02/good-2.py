import tarfile

def unpack(path, folder):
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            if member.name.startswith('/') or '..' in member.name:
                raise ValueError(member.name)
        archive.extractall(folder)
