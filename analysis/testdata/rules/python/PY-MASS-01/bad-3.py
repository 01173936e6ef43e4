from flask import Flask, request
app = Flask(__name__)

@app.route('/me', methods=['PATCH'])
def change():
    person = load()
    for key, value in request.get_json().items():
        setattr(person, key, value)  # ← here
    return 'ok'
