const axios = require('axios')
const { host } = require('./settings')

app.get('/rates', async (req, res) => {
  const rates = await axios.get(`https://${host}/rates?day=${req.query.day}`)
  res.json(rates.data)
})
