import express from 'express'

const app = express()
app.use((req, res, next) => {
  const target = req.query.returnTo
  if (target && !String(target).startsWith('/app/')) return res.status(400).end()
  next()
})
app.get('/done', (req, res) => res.redirect(req.query.returnTo))
