import tarfile
import os
from pathlib import Path
from flask import Flask, request, send_file
from werkzeug.utils import secure_filename, safe_join
app = Flask(__name__)
ROOT = '/srv/files'

@app.route('/restore', methods=['POST'])
def restore():
    with tarfile.open(fileobj=request.files['backup'].stream) as backup:
        backup.extractall('/srv/data')  # ← here
    return 'ok'
