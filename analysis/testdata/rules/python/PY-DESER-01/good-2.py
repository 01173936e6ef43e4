import base64, json, pickle, yaml
from flask import Flask, request
app = Flask(__name__)

@app.route('/import', methods=['POST'])
def load():
    return str(yaml.load(request.data, Loader=yaml.SafeLoader))
