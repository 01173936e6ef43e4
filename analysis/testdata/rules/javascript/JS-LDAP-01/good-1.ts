const ldap = require('ldapjs')
app.get('/user', (req, res) => client.search('ou=people', { filter: new ldap.EqualityFilter({ attribute: 'uid', value: req.query.uid }) }))
