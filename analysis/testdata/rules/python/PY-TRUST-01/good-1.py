from flask import Flask, request, session, make_response
app = Flask(__name__)

@app.route('/page')
def page():
    session['page'] = int(request.args['page'])
    return 'ok'
