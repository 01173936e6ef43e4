app.post('/user', (req, res) => {
  if (req.body.name.length > 50) return res.status(400).end()
  res.json(/^(\w+\s?)+$/.test(req.body.name))
})
