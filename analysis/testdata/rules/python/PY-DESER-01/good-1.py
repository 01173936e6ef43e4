import base64, json, pickle, yaml
from flask import Flask, request
app = Flask(__name__)

@app.route('/cart')
def cart():
    return str(json.loads(base64.b64decode(request.cookies['cart'])))
