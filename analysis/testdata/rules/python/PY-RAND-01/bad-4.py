import random

from flask import request
from accounts.store import remembered


def init(app):
    @app.route('/remember', methods=['POST'])
    def remember():
        name = f'rememberMe{request.form.get("account")}'
        value = str(random.normalvariate())[2:]
        remembered[name] = value  # ← here
        return 'saved'
