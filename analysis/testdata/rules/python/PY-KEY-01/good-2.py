import jwt

def sign(user, key):
    return jwt.encode({'sub': user}, key, algorithm='HS256')
