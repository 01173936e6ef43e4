import sqlite3
from flask import Flask, request
app = Flask(__name__)
db = sqlite3.connect('shop.db')

@app.route('/users')
def users():
    sort = request.args.get('sort')
    if sort not in ['name', 'age']:
        sort = 'name'
    return str(db.execute('select * from users order by ' + sort).fetchall())
