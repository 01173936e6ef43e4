const xpath = require('xpath')
app.post('/login', (req, res) => {
  const expression = '//user[pass="' + req.body.pass + '"]'
  res.json(xpath.select1(expression, doc)) // ← here
})
