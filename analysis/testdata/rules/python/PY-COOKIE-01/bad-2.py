from flask import Flask, request, session, make_response
app = Flask(__name__)

@app.route('/login')
def login():
    answer = make_response('ok')
    answer.set_cookie('choice', 'a', secure=False, httponly=True)  # ← here
    return answer
