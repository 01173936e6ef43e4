const cors = require('cors')
app.use(cors({ origin: ['https://app.example'], credentials: true }))
