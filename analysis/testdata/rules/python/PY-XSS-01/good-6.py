import html, json
from markupsafe import escape, Markup
from flask import Flask, Response, request, make_response, jsonify
app = Flask(__name__)

@app.route('/page')
def page():
    number = request.args.get('page', 1, type=int)
    return f'<p>Page {number}</p>'
