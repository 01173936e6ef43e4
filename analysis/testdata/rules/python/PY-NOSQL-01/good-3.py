from pymongo import MongoClient
from bson.objectid import ObjectId
from flask import Flask, request
app = Flask(__name__)

db = MongoClient().shop

@app.route('/find', methods=['POST'])
def find():
    return str(db.items.find_one({'_id': ObjectId(request.json['id'])}))
