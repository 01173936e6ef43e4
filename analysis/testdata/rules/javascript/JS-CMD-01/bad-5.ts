const { spawnSync } = require('child_process')
function shell(text) {
  return spawnSync('sh', ['-c', text]) // ← here
}
app.post('/run', (req, res) => res.json(shell('du -s ' + req.body.folder)))
