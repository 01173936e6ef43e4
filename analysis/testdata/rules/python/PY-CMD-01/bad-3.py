import os, subprocess, shlex
from flask import Flask, request
app = Flask(__name__)

@app.post('/resize')
def resize():
    parts = ['convert', '-resize']
    parts.append(request.json['size'])
    subprocess.run(['sh', '-c', ' '.join(parts)])  # ← here
    return 'ok'
