const escapeStringRegexp = require('escape-string-regexp')
app.get('/find', (req, res) => res.json(new RegExp(escapeStringRegexp(req.query.q), 'i').test('x')))
