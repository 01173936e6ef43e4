const app = require('express')()
app.post('/payments/charge', (req, res) => {
  console.log(req.body) // ← here
  res.end()
})
