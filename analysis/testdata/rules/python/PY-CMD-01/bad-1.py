import os, subprocess, shlex
from flask import Flask, request
app = Flask(__name__)

@app.route('/ping')
def ping():
    host = request.args.get('host')
    os.system('ping -c 1 ' + host)  # ← here
    return 'sent'
