import hashlib

def same(token):
    return hashlib.md5(token, usedforsecurity=False).hexdigest()
