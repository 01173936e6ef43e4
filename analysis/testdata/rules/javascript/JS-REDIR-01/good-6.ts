import express from 'express'

const app = express()
app.get('/login', (req, res) => {
  const next = String(req.query.next)
  if (/^\/(?![\/\\])/.test(next)) res.redirect(next)
  else res.redirect('/')
})
