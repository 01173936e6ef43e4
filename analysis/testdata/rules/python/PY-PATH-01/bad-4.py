import os
from pathlib import Path
from flask import Flask, request, send_file
from werkzeug.utils import secure_filename, safe_join
app = Flask(__name__)
ROOT = '/srv/files'

@app.route('/download/<path:name>')
def download(name):
    return send_file(f'{ROOT}/{name}')  # ← here
