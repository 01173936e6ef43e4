const app = require('express')()
app.post('/notes', (req, res) => {
  console.log(req.body)
  res.end()
})
