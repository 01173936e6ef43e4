import type { Example } from '../../example.fixture.ts'

const FLASK =
  "import sqlite3\nfrom flask import Flask, request\napp = Flask(__name__)\ndb = sqlite3.connect('shop.db')\n"

export const examples: Example[] = [
  {
    rule: 'PY-SQL-01',
    bad: [
      `${FLASK}
@app.route('/user')
def user():
    cursor = db.cursor()
    cursor.execute(f"select * from users where name = '{request.args['name']}'")  # ← here
    return str(cursor.fetchall())
`,
      `from django.db import connection
from django.views import View

class Search(View):
    def get(self, request):
        word = request.GET.get('word')
        with connection.cursor() as cursor:
            cursor.execute("select id from items where title like '%%%s%%'" % word)  # ← here
            return cursor.fetchone()
`,
      `from .models import Item

def items(request):
    sort = request.GET['sort']
    return Item.objects.raw('select * from shop_item order by {}'.format(sort))  # ← here
`.replace('from .models', 'from django.shortcuts import render\nfrom .models'),
      `from sqlalchemy import text
from fastapi import FastAPI, Depends
app = FastAPI()

@app.get('/users/{name}')
def find(name: str, db=Depends(session)):
    query = "select * from users"
    query += " where name = '" + name + "'"
    return db.execute(text(query)).all()  # ← here
`,
      `def by_name(connection, name):
    return connection.execute("select * from users where name = '%s'" % name)  # ← here
`,
    ],
    good: [
      `${FLASK}
@app.route('/user')
def user():
    cursor = db.cursor()
    cursor.execute('select * from users where name = ?', (request.args['name'],))
    return str(cursor.fetchall())
`,
      `${FLASK}
COLUMNS = {'name': 'name', 'age': 'born'}

@app.route('/users')
def users():
    column = COLUMNS.get(request.args.get('sort'), 'name')
    number = int(request.args.get('limit', 10))
    return str(db.execute(f'select * from users order by {column} limit {number}').fetchall())
`,
      `${FLASK}
@app.route('/users')
def users():
    ids = [int(each) for each in request.args['ids'].split(',')]
    marks = ','.join('?' for _ in ids)
    return str(db.execute(f'select * from users where id in ({marks})', ids).fetchall())
`,
      `${FLASK}
@app.route('/users')
def users():
    sort = request.args.get('sort')
    if sort not in ['name', 'age']:
        sort = 'name'
    return str(db.execute('select * from users order by ' + sort).fetchall())
`,
      `from sqlalchemy import select

def find(session, name):
    return session.execute(select(User).where(User.name == name)).scalars()
`,
      `def count(connection, table):
    return connection.execute('select count(*) from ' + table)
`,
    ],
  },
]
