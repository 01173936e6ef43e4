app.get('/calc', (req, res) => {
  res.json(eval(req.query.formula)) // ← here
})
