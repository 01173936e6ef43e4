from pymongo import MongoClient
from flask import Flask, request
app = Flask(__name__)

db = MongoClient().shop

@app.route('/login', methods=['POST'])
def login():
    body = request.get_json()
    return str(db.users.find_one({'name': str(body['name']), 'code': str(body['code'])}))
