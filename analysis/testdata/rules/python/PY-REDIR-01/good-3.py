import requests
from urllib.parse import urlparse, quote
from flask import Flask, request, redirect, url_for
app = Flask(__name__)

@app.route('/go')
def go():
    return redirect('/items/' + request.args['item'])
