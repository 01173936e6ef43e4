const serialize = require('node-serialize')
app.get('/', (req, res) => res.json(serialize.unserialize(req.cookies.profile)))
