app.get('/x', (req, res) => res.json(req.query.text.match(/(?:[a-z]*)*!/)))
