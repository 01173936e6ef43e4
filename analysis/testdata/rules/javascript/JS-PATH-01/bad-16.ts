const fs = require('fs'), express = require('express')
const chosen = (req) => new Promise((resolve, reject) => (req.query.name ? resolve(req.query.name) : reject(new Error('no name'))))
express().get('/report', async (req, res) => {
  const name = await chosen(req)
  res.end(fs.readFileSync('reports/' + name)) // ← here
})
