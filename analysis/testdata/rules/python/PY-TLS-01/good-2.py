import ssl

def context():
    made = ssl.create_default_context()
    made.verify_mode = ssl.CERT_REQUIRED
    return made
