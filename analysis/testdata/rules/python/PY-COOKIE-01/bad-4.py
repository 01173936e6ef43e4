from flask import Flask, make_response
app = Flask(__name__)

OPTIONS = {'secure': False, 'httponly': True}

@app.route('/theme')
def theme():
    answer = make_response('ok')
    answer.set_cookie('theme', 'dark', **OPTIONS)  # ← here
    return answer

@app.route('/cart')
def cart():
    is_secure = not True
    answer = make_response('ok')
    answer.set_cookie('cart', 'empty', secure=is_secure)  # ← here
    return answer
