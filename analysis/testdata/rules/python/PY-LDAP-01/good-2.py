import ldap3
from flask import Flask, request
app = Flask(__name__)

@app.route('/who')
def who():
    link = ldap3.Connection('localhost')
    link.search('dc=example', '(uid=root)')
    return request.args['uid']
