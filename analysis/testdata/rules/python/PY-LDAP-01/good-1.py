import ldap
from ldap.filter import escape_filter_chars
from flask import Flask, request
app = Flask(__name__)

@app.route('/who')
def who():
    directory = ldap.initialize('ldap://localhost')
    wanted = '(uid=' + escape_filter_chars(request.args['uid']) + ')'
    return str(directory.search_s('dc=example', ldap.SCOPE_SUBTREE, wanted))
