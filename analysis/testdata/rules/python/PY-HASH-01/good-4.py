import hashlib
from flask import Flask, request
app = Flask(__name__)
KIND = 'sha256'

@app.route('/sign')
def sign():
    made = hashlib.new(KIND)
    made.update(request.args['text'].encode())
    return made.hexdigest()
