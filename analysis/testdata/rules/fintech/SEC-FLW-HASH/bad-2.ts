module.exports = (req, res, next) => {
  const signature = req.headers['verif-hash']
  if (signature !== 'shop-hash-9') return res.sendStatus(401) // ← here
  next()
}
