import html, json
from markupsafe import escape, Markup
from flask import Flask, Response, request, make_response, jsonify
app = Flask(__name__)

@app.route('/hello')
def hello():
    return jsonify(name=request.args['name'])
