from flask import Flask, request, session, make_response
app = Flask(__name__)

@app.route('/language')
def language():
    answer = make_response('ok')
    answer.set_cookie('language', 'fr')
    return answer
