from flask import Flask, request, session, make_response
app = Flask(__name__)

PLANS = ['free', 'team']

@app.route('/plan')
def plan():
    chosen = request.args['plan']
    if chosen in PLANS:
        session['plan'] = chosen
    return 'ok'
