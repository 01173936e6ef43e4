import requests
from urllib.parse import urlparse, quote
from flask import Flask, request, redirect, url_for
app = Flask(__name__)

HOSTS = {'a.example.com', 'b.example.com'}

@app.route('/fetch')
def fetch():
    url = request.args['url']
    if urlparse(url).hostname not in HOSTS:
        return 'no', 400
    return requests.get(url).text
