import json

from flask import request


@app.route('/hello', methods=['POST'])
def hello():
    packed = json.dumps({'name': (request.get_json(silent=True) or {}).get('name', '')})
    name = json.loads(packed)['name']
    return '<h1>' + name + '</h1>'  # ← here
