app.use((req, res, next) => {
  if (ALLOWED.includes(req.headers.origin)) res.setHeader('Access-Control-Allow-Origin', req.headers.origin)
  res.setHeader('Access-Control-Allow-Credentials', 'true')
  next()
})
