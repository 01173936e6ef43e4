from flask import Flask, make_response, request
app = Flask(__name__)

@app.route('/echo')
def echo():
    answer = make_response(request.args['text'])
    answer.headers['Content-Type'] = 'text/plain'
    return answer
