import requests
from urllib.parse import urlparse, quote
from flask import Flask, request, redirect, url_for
app = Flask(__name__)

@app.route('/status')
def status():
    host = request.args.get('host')
    return requests.get(f'http://{host}/status').text  # ← here
