import jwt

def who(token, key):
    return jwt.decode(token, key, algorithms=['RS256'], options={'verify_signature': True})['sub']
