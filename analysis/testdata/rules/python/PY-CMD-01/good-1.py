import os, subprocess, shlex
from flask import Flask, request
app = Flask(__name__)

@app.route('/ping')
def ping():
    subprocess.run(['ping', '-c', '1', request.args['host']], check=True)
    return 'sent'
