from flask import Flask, request, render_template_string, render_template
app = Flask(__name__)

WORKS = {'double': 'x * 2', 'half': 'x / 2'}

@app.route('/sum')
def total():
    return str(eval(WORKS.get(request.args['work'], '0'), {'x': 3}))
