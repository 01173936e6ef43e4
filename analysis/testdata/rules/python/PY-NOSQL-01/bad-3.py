from pymongo import MongoClient
from flask import Flask, request
app = Flask(__name__)

db = MongoClient().shop

@app.route('/find')
def find():
    return str(list(db.items.find({'$where': 'this.owner == "' + request.args['owner'] + '"'})))  # ← here
