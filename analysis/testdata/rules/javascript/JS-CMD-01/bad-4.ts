const { spawn } = require('child_process')
app.post('/run', (req, res) => {
  spawn('convert', [req.body.file], { shell: true }) // ← here
})
