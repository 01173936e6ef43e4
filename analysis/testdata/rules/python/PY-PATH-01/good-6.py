import os
from pathlib import Path
from flask import Flask, request, send_file
from werkzeug.utils import secure_filename, safe_join
app = Flask(__name__)
ROOT = '/srv/files'

@app.route('/file')
def read():
    name = request.args['name']
    if '..' in name or name.startswith('/'):
        return 'no', 400
    return open(os.path.join(ROOT, name)).read()
