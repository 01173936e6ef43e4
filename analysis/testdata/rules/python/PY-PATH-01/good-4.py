import os
from pathlib import Path
from flask import Flask, request, send_file
from werkzeug.utils import secure_filename, safe_join
app = Flask(__name__)
ROOT = '/srv/files'

@app.route('/file')
def read():
    full = os.path.realpath(os.path.join(ROOT, request.args['name']))
    if not full.startswith(ROOT + os.sep):
        return 'no', 404
    return open(full).read()
