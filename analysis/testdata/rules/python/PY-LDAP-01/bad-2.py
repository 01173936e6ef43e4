import ldap3
from flask import Flask, request
app = Flask(__name__)

@app.route('/who')
def who():
    link = ldap3.Connection(ldap3.Server('localhost'), auto_bind=True)
    link.search('dc=example', f"(&(objectclass=person)(uid={request.args['uid']}))", attributes=['cn'])  # ← here
    return str(link.entries)
