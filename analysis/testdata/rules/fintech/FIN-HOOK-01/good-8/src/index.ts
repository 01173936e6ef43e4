import { Hono } from 'hono'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { db } from './db'

const app = new Hono()

app.use('/webhooks/*', async (c, next) => {
  const raw = await c.req.text()
  const expected = createHmac('sha512', process.env.PAYSTACK_SECRET_KEY!).update(raw).digest('hex')
  const given = c.req.header('x-paystack-signature') ?? ''
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return c.text('bad signature', 401)
  c.set('event', JSON.parse(raw))
  await next()
})

app.post('/webhooks/paystack', async (c) => {
  const event = c.get('event')
  if (event.event === 'charge.success')
    await db.query("UPDATE orders SET status = 'paid' WHERE reference = $1 AND total = $2 AND status = 'pending'", [event.data.reference, event.data.amount])
  return c.json({ ok: true })
})

export default app
