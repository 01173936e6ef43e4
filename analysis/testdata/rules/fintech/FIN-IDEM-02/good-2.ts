const { randomUUID } = require('crypto')
exports.payAll = async (paystack, people) => {
  for (const person of people) {
    const reference = randomUUID()
    await paystack.transfer.create({ to: person, reference })
  }
}
