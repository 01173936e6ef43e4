import requests
from urllib.parse import urlparse, quote
from flask import Flask, request, redirect, url_for
app = Flask(__name__)

@app.route('/go')
def go():
    target = request.args['to']
    if urlparse(target).netloc != '':
        return redirect('/')
    return redirect(target)
