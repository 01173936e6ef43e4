import base64, json, pickle, yaml
from flask import Flask, request
app = Flask(__name__)

from defusedxml.lxml import fromstring

@app.route('/order', methods=['POST'])
def order():
    return fromstring(request.data).tag
