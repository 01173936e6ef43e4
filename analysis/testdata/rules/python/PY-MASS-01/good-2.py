from flask import Flask, request
app = Flask(__name__)
FIELDS = ('name', 'email')

@app.route('/me', methods=['PATCH'])
def change():
    person = load()
    for key, value in request.get_json().items():
        if key in FIELDS:
            setattr(person, key, value)
    return 'ok'
