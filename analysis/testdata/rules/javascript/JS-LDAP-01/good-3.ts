const ldap = require('ldapjs')
app.get('/user', (req, res) => {
  if (!/^[a-z0-9]+$/.test(req.query.uid)) return res.end()
  client.search('ou=people', { filter: `(uid=${req.query.uid})` })
})
