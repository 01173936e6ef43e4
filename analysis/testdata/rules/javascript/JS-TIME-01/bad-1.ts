const crypto = require('crypto')
app.post('/hook', (req, res) => {
  const mac = crypto.createHmac('sha256', process.env.KEY).update(req.rawBody).digest('hex')
  if (mac !== req.headers['x-signature']) return res.status(401).end() // ← here
})
