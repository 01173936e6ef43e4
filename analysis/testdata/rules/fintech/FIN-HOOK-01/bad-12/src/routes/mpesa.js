const express = require('express')
const { complete } = require('../services/payments')

const router = express.Router()

router.post('/callback', async (req, res) => { // ← here
  const callback = req.body.Body.stkCallback
  if (callback.ResultCode === 0) await complete(callback.CheckoutRequestID)
  res.json({ ResultCode: 0, ResultDesc: 'Accepted' })
})

module.exports = router
