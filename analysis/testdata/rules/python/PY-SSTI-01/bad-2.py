from flask import Flask, request, render_template_string, render_template
app = Flask(__name__)

from jinja2 import Template

@app.route('/hello/<name>')
def hello(name):
    page = Template(f'Hello {name}')  # ← here
    return page.render()
