from pymongo import MongoClient
from flask import Flask, request
app = Flask(__name__)

db = MongoClient().shop

@app.route('/find')
def find():
    return str(db.items.find_one({'owner': request.args['owner']}))
