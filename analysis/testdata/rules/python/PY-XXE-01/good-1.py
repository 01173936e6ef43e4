import base64, json, pickle, yaml
from flask import Flask, request
app = Flask(__name__)

from lxml import etree

@app.route('/order', methods=['POST'])
def order():
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(request.data, parser).tag
