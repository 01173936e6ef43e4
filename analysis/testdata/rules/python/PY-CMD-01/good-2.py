import os, subprocess, shlex
from flask import Flask, request
app = Flask(__name__)

@app.route('/log')
def log():
    os.system('tail -n 5 ' + shlex.quote(request.args['name']))
    return 'ok'
