import os
from pathlib import Path
from flask import Flask, request, send_file
from werkzeug.utils import secure_filename, safe_join
app = Flask(__name__)
ROOT = '/srv/files'

@app.route('/file')
def read():
    target = (Path(ROOT) / request.args['name']).resolve()
    if not target.is_relative_to(ROOT):
        return 'no', 404
    return target.read_text()
