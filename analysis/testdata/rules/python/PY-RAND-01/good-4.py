import random

from flask import request
from accounts.store import remembered


def init(app):
    @app.route('/remember', methods=['POST'])
    def remember():
        name = f'rememberMe{request.form.get("account")}'
        remembered[name] = str(random.SystemRandom().getrandbits(128))
        return 'saved'
