exports.login = (req, res) => {
  console.log('login', req.body) // ← here
}
