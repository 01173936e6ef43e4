exports.login = (req, res) => {
  if (process.env.NODE_ENV === 'development') console.log(req.body)
}
