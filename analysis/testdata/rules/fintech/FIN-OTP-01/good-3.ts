exports.status = (req, res) => res.json({ otp: 'required', otpSent: true })
