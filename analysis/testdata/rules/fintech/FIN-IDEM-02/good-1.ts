const { randomUUID } = require('crypto')
exports.payOut = async (paystack, to, amount) => {
  const reference = randomUUID()
  for (let attempt = 0; attempt < 3; attempt++) {
    const done = await paystack.transfer.create({ to, amount, reference })
    if (done.ok) return done
  }
}
