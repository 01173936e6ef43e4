const xpath = require('xpath')
app.get('/user', (req, res) => res.json(xpath.parse('//user[@name=$name]').select({ node: doc, variables: { name: req.query.name } })))
