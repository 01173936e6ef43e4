import os, subprocess, shlex
from flask import Flask, request
app = Flask(__name__)

ALLOWED = ('start', 'stop')

@app.route('/service')
def service():
    action = request.args.get('action', '')
    if action not in ALLOWED:
        return 'no', 400
    os.system('systemctl ' + action + ' shop')
    return 'ok'
