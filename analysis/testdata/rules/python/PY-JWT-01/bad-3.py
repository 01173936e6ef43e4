import jwt

def who(token, key):
    return jwt.decode(token, key, algorithms=['HS256', 'none'])['sub']  # ← here
