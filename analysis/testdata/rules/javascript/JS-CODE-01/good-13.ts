const TABLE = { sum: (a, b) => a + b }
app.get('/calc', (req, res) => res.json(TABLE[req.query.name](1, 2)))
