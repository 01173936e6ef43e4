import os
from flask import Flask, request
import shapes.factory

app = Flask(__name__)

@app.route('/list')
def listing():
    shape = shapes.factory.create()
    name = shape.describe_part(request.args.get('name', ''))
    os.system('ls ' + name)  # ← here
    return 'done'
