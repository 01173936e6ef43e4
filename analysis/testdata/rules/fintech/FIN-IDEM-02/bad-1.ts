const { randomUUID } = require('crypto')
exports.payOut = async (paystack, to, amount) => {
  for (let attempt = 0; attempt < 3; attempt++) {
    const reference = randomUUID() // ← here
    const done = await paystack.transfer.create({ to, amount, reference })
    if (done.ok) return done
  }
}
