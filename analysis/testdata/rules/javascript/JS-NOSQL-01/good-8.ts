const User = require('../models/user')

exports.find = async (req, res) => {
  const email = new RegExp('^' + RegExp.escape(req.body.email) + '$', 'i')
  res.json(await User.findOneAndUpdate({ email }, { $set: { seen: true } }))
}
