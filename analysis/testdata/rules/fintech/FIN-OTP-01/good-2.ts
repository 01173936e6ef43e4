exports.sendOtp = async (req, res) => {
  const otp = await makeOtp()
  if (process.env.NODE_ENV !== 'production') return res.json({ otp })
  res.json({ message: 'sent' })
}
