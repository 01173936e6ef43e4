const session = require('express-session')
app.use(session({ secret: process.env.SECRET, cookie: { httpOnly: false } })) // ← here
