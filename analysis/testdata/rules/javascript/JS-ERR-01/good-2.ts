app.use((err, req, res, next) => {
  if (process.env.NODE_ENV === 'development') res.send(err.stack)
  else res.status(500).end()
})
