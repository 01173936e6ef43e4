const app = require('express')()
app.post('/paystack/callback', (req, res) => {
  console.log('seen')
  res.redirect('/orders')
})
