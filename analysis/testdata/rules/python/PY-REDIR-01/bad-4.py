from flask import make_response, request


@app.route('/leave')
def leave():
    response = make_response('', 302)
    response.headers['Location'] = request.args.get('next', '/')  # ← here
    return response
