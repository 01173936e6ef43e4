import hashlib

def verify(body, secret):
    return hashlib.sha1(body + secret).hexdigest()  # ← here
