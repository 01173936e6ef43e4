import jwt

def who(token, key):
    return jwt.decode(token, key, verify=False)['sub']  # ← here
