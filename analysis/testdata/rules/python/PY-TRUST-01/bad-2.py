from flask import Flask, request, session, make_response
app = Flask(__name__)

@app.route('/as')
def become():
    name = request.form.get('name')
    session[name] = '1'  # ← here
    return 'ok'
