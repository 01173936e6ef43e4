const app = require('express')()
app.post('/payments/charge', (req, res) => {
  console.log('charge', req.body.reference)
  res.end()
})
