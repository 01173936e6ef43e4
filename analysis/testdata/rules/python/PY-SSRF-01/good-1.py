import requests
from urllib.parse import urlparse, quote
from flask import Flask, request, redirect, url_for
app = Flask(__name__)

@app.route('/rate')
def rate():
    return requests.get('https://api.example.com/rates/' + quote(request.args['pair'])).text
