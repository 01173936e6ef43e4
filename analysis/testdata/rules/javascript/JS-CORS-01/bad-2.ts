app.use((req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', req.headers.origin) // ← here
  res.setHeader('Access-Control-Allow-Credentials', 'true')
  next()
})
