from flask import Flask, request, session, make_response
app = Flask(__name__)

@app.route('/login')
def login():
    answer = make_response('ok')
    answer.set_cookie('session_token', new_token(), secure=True, httponly=True)
    return answer
