import random
from flask import Flask, make_response
app = Flask(__name__)

@app.route('/login')
def login():
    answer = make_response('ok')
    answer.set_cookie('id', f'{random.getrandbits(64)}', secure=True)  # ← here
    return answer
