const { exec: run } = require('child_process')
app.get('/ping', (req, res) => {
  run('ping -c 1 ' + req.query.host) // ← here
})
