exports.deliver = async (req, res) => {
  const order = await Order.findOne({ id: req.params.id })
  await order.update({ status: 'completed' })
  res.end()
}
