from Crypto.Cipher import DES

def seal(key, text):
    return DES.new(key, DES.MODE_CBC).encrypt(text)  # ← here
