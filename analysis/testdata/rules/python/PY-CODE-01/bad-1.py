from flask import Flask, request, render_template_string, render_template
app = Flask(__name__)

@app.route('/sum')
def total():
    return str(eval(request.args['formula']))  # ← here
