import os, subprocess, shlex
from flask import Flask, request
app = Flask(__name__)

def shell(line):
    return subprocess.check_output(line, shell=True)  # ← here

@app.route('/log', methods=['POST'])
def log():
    name = request.form['name'].strip()
    return shell('tail -n 5 %s' % name)
