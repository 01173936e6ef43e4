from flask import Flask, request, session, make_response
app = Flask(__name__)

@app.route('/as')
def become():
    session['account'] = request.args['account']  # ← here
    return 'ok'
