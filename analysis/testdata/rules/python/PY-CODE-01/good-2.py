from flask import Flask, request, render_template_string, render_template
app = Flask(__name__)

@app.route('/sum')
def total():
    number = float(request.args['number'])
    return str(eval(f'{number} * 2'))
