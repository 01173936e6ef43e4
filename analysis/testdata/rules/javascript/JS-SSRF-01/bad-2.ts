const axios = require('axios')
app.post('/hook', async (req, res) => {
  await axios.post('https://' + req.body.host + '/callback', {}) // ← here
})
