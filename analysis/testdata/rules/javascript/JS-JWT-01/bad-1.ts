const jwt = require('jsonwebtoken')
app.use((req, res, next) => {
  req.user = jwt.decode(req.headers.authorization) // ← here
  next()
})
