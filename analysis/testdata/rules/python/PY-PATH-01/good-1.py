import os
from pathlib import Path
from flask import Flask, request, send_file
from werkzeug.utils import secure_filename, safe_join
app = Flask(__name__)
ROOT = '/srv/files'

@app.route('/file')
def read():
    with open(os.path.join(ROOT, os.path.basename(request.args['name']))) as handle:
        return handle.read()
