import ldap3
from flask import Flask, request
app = Flask(__name__)

@app.route('/who/<int:number>')
def who(number):
    link = ldap3.Connection('localhost')
    link.search('dc=example', f'(uidNumber={number})')
    return 'ok'
