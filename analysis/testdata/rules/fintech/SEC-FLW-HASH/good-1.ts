module.exports = (req, res, next) => {
  if (req.headers['verif-hash'] !== process.env.FLW_HASH) return res.sendStatus(401)
  next()
}
