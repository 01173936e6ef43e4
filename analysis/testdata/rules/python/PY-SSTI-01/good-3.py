from flask import Flask, request, render_template_string, render_template
app = Flask(__name__)

GREETINGS = {'en': 'Hello {{ name }}', 'fr': 'Bonjour {{ name }}'}

@app.route('/hello')
def hello():
    return render_template_string(GREETINGS[request.args['lang']], name=request.args['name'])
