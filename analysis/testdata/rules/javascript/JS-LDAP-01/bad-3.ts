const ldap = require('ldapjs')
function find(client, name) {
  return client.search('dc=x', { filter: `(cn=${name})` }) // ← here
}
app.get('/find', (req, res) => find(ldap.createClient({}), req.query.name))
