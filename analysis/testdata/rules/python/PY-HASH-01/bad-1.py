import hashlib

def keep(password):
    return hashlib.md5(password.encode()).hexdigest()  # ← here
