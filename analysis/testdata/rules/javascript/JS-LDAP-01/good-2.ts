const ldap = require('ldapjs')
const ldapEscape = require('ldap-escape')
app.get('/user', (req, res) => client.search('ou=people', { filter: '(uid=' + ldapEscape.filter(req.query.uid) + ')' }))
