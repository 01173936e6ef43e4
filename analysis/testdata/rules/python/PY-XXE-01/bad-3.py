import base64, json, pickle, yaml
from flask import Flask, request
app = Flask(__name__)

import io
import xml.sax
from xml.sax.handler import feature_external_ges

@app.route('/order', methods=['POST'])
def order():
    parser = xml.sax.make_parser()
    parser.setFeature(feature_external_ges, True)
    parser.parse(io.BytesIO(request.get_data()))  # ← here
    return 'ok'
