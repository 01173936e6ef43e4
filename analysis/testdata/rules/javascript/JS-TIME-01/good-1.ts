const crypto = require('crypto')
app.post('/hook', (req, res) => {
  const mac = crypto.createHmac('sha256', process.env.KEY).update(req.rawBody).digest()
  const given = Buffer.from(req.headers['x-signature'], 'hex')
  if (mac.length !== given.length || !crypto.timingSafeEqual(mac, given)) return res.status(401).end()
})
