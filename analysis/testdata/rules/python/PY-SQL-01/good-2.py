import sqlite3
from flask import Flask, request
app = Flask(__name__)
db = sqlite3.connect('shop.db')

COLUMNS = {'name': 'name', 'age': 'born'}

@app.route('/users')
def users():
    column = COLUMNS.get(request.args.get('sort'), 'name')
    number = int(request.args.get('limit', 10))
    return str(db.execute(f'select * from users order by {column} limit {number}').fetchall())
