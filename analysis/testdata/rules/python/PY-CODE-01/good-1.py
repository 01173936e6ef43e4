import ast
from flask import Flask, request, render_template_string, render_template
app = Flask(__name__)

@app.route('/sum')
def total():
    return str(ast.literal_eval(request.args['formula']))
