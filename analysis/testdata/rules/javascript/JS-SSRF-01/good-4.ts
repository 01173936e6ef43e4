const TARGETS = { a: 'https://a.example', b: 'https://b.example' }
app.get('/proxy', async (req, res) => fetch(TARGETS[req.query.name]))
