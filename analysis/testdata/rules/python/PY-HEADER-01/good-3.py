from flask import Flask, request, make_response
app = Flask(__name__)

@app.route('/x')
def x():
    answer = make_response('ok')
    answer.headers['X-Name'] = request.args['name']
    return answer
