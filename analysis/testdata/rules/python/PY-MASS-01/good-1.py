from flask import Flask, request
from models import User
app = Flask(__name__)

@app.route('/users', methods=['POST'])
def create():
    return str(User.objects.create(name=request.json['name']))
