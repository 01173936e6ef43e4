from pymongo import MongoClient
from flask import Flask, request
app = Flask(__name__)

db = MongoClient().shop

@app.route('/login', methods=['POST'])
def login():
    body = request.get_json()
    found = db.users.find_one({'name': body['name'], 'code': body['code']})  # ← here
    return str(found)
