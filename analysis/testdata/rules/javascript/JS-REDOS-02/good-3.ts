const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
app.get('/find', (req, res) => res.json(new RegExp(escape(req.query.q)).test('x')))
