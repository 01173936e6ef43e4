module.exports = (req, res, next) => {
  if (req.headers['verif-hash'] !== 'my-hash-2024') return res.sendStatus(401) // ← here
  next()
}
