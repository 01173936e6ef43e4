from flask import Flask, request, render_template_string, render_template
app = Flask(__name__)

@app.route('/hello')
def hello():
    return render_template_string('Hello {{ name }}', name=request.args['name'])
