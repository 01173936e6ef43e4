const session = require('express-session')
app.use(session({ secret: 'keyboard cat', resave: false })) // ← here
