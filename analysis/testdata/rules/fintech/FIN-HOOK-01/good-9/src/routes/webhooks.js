const express = require('express')
const { verifyPaystack } = require('../middleware/verify')
const { settle } = require('../services/orders')

const router = express.Router()

router.post('/paystack', express.raw({ type: '*/*' }), verifyPaystack, async (req, res) => {
  const event = JSON.parse(req.body.toString('utf8'))
  if (event.event === 'charge.success') await settle(event.data.reference, event.data.amount)
  res.sendStatus(200)
})

module.exports = router
