const axios = require('axios')
exports.payOut = async (body, retries) => {
  while (retries-- > 0) {
    const idempotencyKey = crypto.randomUUID() // ← here
    const done = await axios.post('https://api.flutterwave.com/v3/transfers', body, { headers: { idempotencyKey } })
    if (done.status === 200) return done
  }
}
