import express from 'express'

const app = express()
app.post('/names', (req, res) => {
  res.json(String(req.body.name).replace(/\s+$/, '')) // ← here
})
