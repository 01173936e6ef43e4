const Router = require('@koa/router')
const axios = require('axios')
const { Order } = require('./models')

const router = new Router()

router.post('/orders/:id/pay', async (ctx) => {
  const order = await Order.findByPk(ctx.params.id)
  if (!order) ctx.throw(404)
  const { data } = await axios.post('https://api.safaricom.co.ke/mpesa/stkpush/v1/processrequest', {
    BusinessShortCode: process.env.SHORTCODE,
    Amount: Math.ceil(order.totalCents / 100),
    PartyA: ctx.request.body.phone,
    AccountReference: order.reference,
  })
  ctx.body = data
})

module.exports = router
