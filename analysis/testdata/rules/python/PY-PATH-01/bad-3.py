import os
from pathlib import Path
from flask import Flask, request, send_file
from werkzeug.utils import secure_filename, safe_join
app = Flask(__name__)
ROOT = '/srv/files'

@app.route('/upload', methods=['POST'])
def upload():
    given = request.files['file']
    given.save(os.path.join(ROOT, given.filename))  # ← here
    return 'kept'
