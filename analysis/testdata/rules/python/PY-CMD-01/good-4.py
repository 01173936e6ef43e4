import os, subprocess, shlex
from flask import Flask, request
app = Flask(__name__)

@app.route('/count')
def count():
    number = int(request.args['number'])
    chosen = {'a': request.args['a'], 'b': 'uptime'}
    os.system(f'head -n {number} /var/log/shop.log')
    os.system(chosen['b'])
    return 'ok'
