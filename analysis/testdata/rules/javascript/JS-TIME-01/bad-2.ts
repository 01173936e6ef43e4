app.use((req, res, next) => {
  if (req.headers['x-api-key'] === process.env.API_KEY) next() // ← here
})
