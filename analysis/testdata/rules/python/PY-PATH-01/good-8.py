import pathlib

from flask import request

FOLDER = '/srv/files'


@app.route('/read')
def read():
    name = request.args.get('name', '')
    if '../' in name:
        return 'not allowed'
    with open(f'{FOLDER}/{name}') as file:
        return file.read()


@app.route('/read-resolved')
def read_resolved():
    folder = pathlib.Path(FOLDER)
    path = (folder / request.args.get('name', '')).resolve()
    if not str(path).startswith(str(folder)):
        return 'not allowed'
    return path.read_text()
