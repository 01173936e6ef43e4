import ldap
from flask import Flask, request
app = Flask(__name__)

@app.route('/who')
def who():
    directory = ldap.initialize('ldap://localhost')
    wanted = '(uid=' + request.args['uid'] + ')'
    return str(directory.search_s('dc=example', ldap.SCOPE_SUBTREE, wanted))  # ← here
