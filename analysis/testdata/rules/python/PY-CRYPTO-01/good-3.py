from cryptography.fernet import Fernet

def seal(key, text):
    return Fernet(key).encrypt(text)
