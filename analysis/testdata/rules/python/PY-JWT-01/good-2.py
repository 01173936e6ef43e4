import jwt

def who(token, keys):
    claimed = jwt.decode(token, options={'verify_signature': False})
    return jwt.decode(token, keys[claimed['iss']], algorithms=['RS256'])['sub']
