from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

def seal(key, iv):
    return Cipher(algorithms.AES(key), modes.GCM(iv))
