import os, subprocess, shlex
from flask import Flask, request
app = Flask(__name__)

@app.route('/fixed')
def fixed():
    level = 106
    line = 'uptime' if 7 * 18 + level > 200 else request.args['line']
    os.system(line)
    return 'ok'
