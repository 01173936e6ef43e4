from Crypto.Cipher import AES

def seal(key, text):
    return AES.new(key, AES.MODE_GCM).encrypt_and_digest(text)
