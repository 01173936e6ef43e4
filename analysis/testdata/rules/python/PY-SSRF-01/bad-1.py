import requests
from urllib.parse import urlparse, quote
from flask import Flask, request, redirect, url_for
app = Flask(__name__)

@app.route('/fetch')
def fetch():
    return requests.get(request.args['url'], timeout=5).text  # ← here
