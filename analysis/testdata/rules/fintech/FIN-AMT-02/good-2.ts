const schema = z.object({ amount: z.int().positive() })
exports.transfer = async (req, res) => {
  const { amount } = schema.parse(req.body)
  const sender = await Wallet.findOne({ user: req.user.id })
  sender.balance -= amount
  await sender.save()
}
