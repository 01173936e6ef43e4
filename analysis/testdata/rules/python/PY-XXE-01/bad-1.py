import base64, json, pickle, yaml
from flask import Flask, request
app = Flask(__name__)

from lxml import etree

@app.route('/order', methods=['POST'])
def order():
    return etree.fromstring(request.data).tag  # ← here
