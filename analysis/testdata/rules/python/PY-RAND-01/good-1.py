import secrets

def reset(user):
    user.reset_token = secrets.token_urlsafe(20)
