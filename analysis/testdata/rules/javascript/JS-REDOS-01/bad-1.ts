const NAME = /^(\w+\s?)+$/
app.post('/user', (req, res) => {
  if (!NAME.test(req.body.name)) return res.status(400).end() // ← here
})
