import hashlib
from flask import Flask, request
app = Flask(__name__)

@app.route('/sign')
def sign():
    made = hashlib.new('sha1')  # ← here
    made.update(request.args['text'].encode())
    return made.hexdigest()
