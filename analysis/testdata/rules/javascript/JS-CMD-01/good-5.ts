const { exec } = require('child_process')
app.get('/ping', (req, res) => {
  if (!/^[a-z0-9.-]+$/i.test(req.query.host)) return res.status(400).end()
  exec('ping -c 1 ' + req.query.host)
})
