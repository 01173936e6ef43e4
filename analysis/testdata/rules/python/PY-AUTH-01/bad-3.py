from flask_login import current_user

def admin():
    assert current_user.is_authenticated  # ← here
    return page()
