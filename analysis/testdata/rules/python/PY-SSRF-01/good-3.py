import requests
from urllib.parse import urlparse, quote
from flask import Flask, request, redirect, url_for
app = Flask(__name__)

SERVERS = {'eu': 'https://eu.example.com', 'us': 'https://us.example.com'}

@app.route('/fetch')
def fetch():
    return requests.get(SERVERS[request.args['region']]).text
