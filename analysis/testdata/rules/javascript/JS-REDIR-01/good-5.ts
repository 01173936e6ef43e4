import express from 'express'

const app = express()
app.get('/*folder', (req, res) => {
  res.redirect(301, req.path.replace(/^\/+/, '/') + '/')
})
