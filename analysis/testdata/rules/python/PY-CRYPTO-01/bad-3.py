from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

def seal(key, iv):
    return Cipher(algorithms.TripleDES(key), modes.CBC(iv))  # ← here
