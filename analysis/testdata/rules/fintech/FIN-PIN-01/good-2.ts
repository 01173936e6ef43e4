const app = require('express')()
app.post('/boards', async (req, res) => {
  await Board.create({ title: req.body.title, pinned: req.body.pinned })
  res.end()
})
