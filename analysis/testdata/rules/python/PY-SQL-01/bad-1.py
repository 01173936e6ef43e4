import sqlite3
from flask import Flask, request
app = Flask(__name__)
db = sqlite3.connect('shop.db')

@app.route('/user')
def user():
    cursor = db.cursor()
    cursor.execute(f"select * from users where name = '{request.args['name']}'")  # ← here
    return str(cursor.fetchall())
