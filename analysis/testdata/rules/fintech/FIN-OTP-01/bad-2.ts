exports.forgot = async (req, res) => {
  const user = await User.findOne({ email: req.body.email })
  res.status(200).json({ otp: user.otp }) // ← here
}
