from flask import request


@app.route('/evaluate')
def evaluate():
    literal = request.args.get('literal', '')
    if not literal.startswith("'") or not literal.endswith("'") or "'" in literal[1:-1]:
        return 'only one string literal'
    return eval(literal)
