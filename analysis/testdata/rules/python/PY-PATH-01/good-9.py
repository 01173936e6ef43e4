import os

from flask import request, send_file


def build_safe_path(root, relative):
    path = os.path.realpath(os.path.join(root, relative))
    return path if os.path.commonpath([root, path]) == root else None


@app.route('/static')
def static_file():
    path = build_safe_path('/srv/static', request.args.get('name', ''))
    if path is None:
        return 'not found'
    return send_file(path)
