const Router = require('@koa/router')
const axios = require('axios')

const router = new Router()

router.post('/orders/:id/pay', async (ctx) => {
  const { phone, amount } = ctx.request.body
  const { data } = await axios.post('https://api.safaricom.co.ke/mpesa/stkpush/v1/processrequest', { // ← here
    BusinessShortCode: process.env.SHORTCODE,
    Amount: Math.round(amount),
    PartyA: phone,
    AccountReference: ctx.params.id,
  })
  ctx.body = data
})

module.exports = router
