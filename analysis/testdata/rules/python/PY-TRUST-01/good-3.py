from flask import Flask, request, session, make_response
app = Flask(__name__)

@app.route('/plan')
def plan():
    seen = {'plan': request.args['plan']}
    session['seen'] = 'yes'
    return seen
