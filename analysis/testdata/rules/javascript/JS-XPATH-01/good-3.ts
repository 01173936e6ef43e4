const xpath = require('xpath')
app.get('/user', (req, res) => res.json(xpath.select('//user', doc)))
