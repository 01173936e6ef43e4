from pymongo import MongoClient
from flask import Flask, request
app = Flask(__name__)

db = MongoClient().shop

@app.route('/find', methods=['POST'])
def find():
    return str(list(db.items.find(request.json)))  # ← here
