const jwt = require('jsonwebtoken')
exports.sign = (user) => jwt.sign({ id: user.id }, process.env.SECRET)
