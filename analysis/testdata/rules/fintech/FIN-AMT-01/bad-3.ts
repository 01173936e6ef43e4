const paystack = require('./paystack')
exports.checkout = async (req, res) => {
  const { planId, amount, email } = req.body
  const plan = await Plan.findOne({ id: planId })
  const reply = await paystack.initializeTransaction({ email, amount: amount * 100, metadata: { plan: plan.id } }) // ← here
  res.json(reply)
}
