const { User } = require('../models')

module.exports.login = async (req, res) => {
  const user = await User.findOne({ where: { email: req.body.email } })
  res.json(user)
}
