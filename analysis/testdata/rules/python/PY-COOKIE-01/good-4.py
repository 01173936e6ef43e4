from flask import Flask, make_response
app = Flask(__name__)

OPTIONS = {'secure': True, 'httponly': True}

@app.route('/theme')
def theme():
    answer = make_response('ok')
    answer.set_cookie('theme', 'dark', **OPTIONS)
    return answer
