import Router from '@koa/router'
import { queryStatus } from './daraja-client'
import { db } from './db'

export const router = new Router()

// Daraja sends no signature, so the status is asked again.
router.post('/mpesa/callback', async (ctx) => {
  const { CheckoutRequestID } = ctx.request.body.Body.stkCallback
  const payment = await db.payment.findOne({ checkoutRequestId: CheckoutRequestID, status: 'pending' })
  ctx.body = { ResultCode: 0, ResultDesc: 'Accepted' }
  if (!payment) return
  const status = await queryStatus(payment.checkoutRequestId)
  if (status.ResultCode === '0') await db.payment.updateOne({ _id: payment._id, status: 'pending' }, { $set: { status: 'paid' } })
})
