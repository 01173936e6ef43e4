module.exports = (req, res, next) => {
  if (req.headers['verif-hash'] === '') return res.sendStatus(401)
  next()
}
