import html, json
from markupsafe import escape, Markup
from flask import Flask, Response, request, make_response, jsonify
app = Flask(__name__)

@app.route('/hello')
def hello():
    page = '<ul>'
    for word in request.args.getlist('word'):
        page += '<li>' + word + '</li>'
    return make_response(page + '</ul>')  # ← here
