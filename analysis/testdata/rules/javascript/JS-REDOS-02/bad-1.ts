app.get('/find', (req, res) => {
  const pattern = new RegExp(req.query.q, 'i') // ← here
  res.json(items.filter((item) => pattern.test(item.name)))
})
