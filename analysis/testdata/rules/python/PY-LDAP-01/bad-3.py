import ldap3
from flask import Flask, request
app = Flask(__name__)

@app.route('/who')
def who():
    link = ldap3.Connection('localhost')
    link.search(search_base='ou=' + request.args['unit'], search_filter='(uid=*)')  # ← here
    return str(link.entries)
