const { exec } = require('child_process')
const TARGETS = ['build', 'test']
app.get('/make', (req, res) => {
  const { target } = req.query
  if (!TARGETS.includes(target)) return res.status(400).end()
  exec('make ' + target)
})
