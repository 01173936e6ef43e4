exports.sendOtp = async (req, res) => {
  const otp = await makeOtp()
  await sms(req.body.phone, otp)
  res.json({ message: 'sent' })
}
