import base64

from flask import request


@app.route('/evaluate')
def evaluate():
    packed = base64.b64encode(request.args.get('expression', '').encode('utf-8'))
    expression = base64.b64decode(packed).decode('utf-8')
    if "'" in expression[1:-1]:
        return 'no quotes, please'
    return str(eval(expression))  # ← here
