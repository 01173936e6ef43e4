module.exports = (req, res, next) => {
  if (req.headers['x-event'] !== 'charge.completed') return res.sendStatus(200)
  next()
}
