import requests
from urllib.parse import urlparse, quote
from flask import Flask, request, redirect, url_for
app = Flask(__name__)

@app.route('/login', methods=['POST'])
def login():
    return redirect(url_for('account', name=request.form['name']))
