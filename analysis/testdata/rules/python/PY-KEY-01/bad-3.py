import jwt

def sign(user):
    return jwt.encode({'sub': user}, 'correct horse battery', algorithm='HS256')  # ← here
