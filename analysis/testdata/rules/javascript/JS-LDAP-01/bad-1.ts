const ldap = require('ldapjs')
const client = ldap.createClient({ url: 'ldap://x' })
app.get('/user', (req, res) => {
  client.search('ou=people', { filter: '(uid=' + req.query.uid + ')' }, () => {}) // ← here
})
