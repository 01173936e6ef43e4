const { exec } = require('child_process')
app.get('/kill', (req, res) => {
  const pid = parseInt(req.query.pid, 10)
  exec('kill ' + pid)
})
