import sqlite3
from flask import Flask, request
app = Flask(__name__)
db = sqlite3.connect('shop.db')

@app.route('/users')
def users():
    ids = [int(each) for each in request.args['ids'].split(',')]
    marks = ','.join('?' for _ in ids)
    return str(db.execute(f'select * from users where id in ({marks})', ids).fetchall())
