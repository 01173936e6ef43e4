const fs = require('fs'), express = require('express')
const chosen = (req) => new Promise((resolve) => resolve(req.query.detailed ? 'detailed' : 'short'))
express().get('/report', async (req, res) => {
  const name = await chosen(req)
  res.end(fs.readFileSync('reports/' + name))
})
