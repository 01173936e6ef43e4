import cors from 'cors'
app.use(cors({ origin: (origin, callback) => callback(null, true), credentials: true }))
