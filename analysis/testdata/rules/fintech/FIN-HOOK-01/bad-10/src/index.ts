import { Hono } from 'hono'
import { createHmac } from 'node:crypto'
import { db } from './db'

const app = new Hono()

app.post('/webhooks/paystack', async (c) => { // ← here
  const raw = await c.req.text()
  const expected = createHmac('sha512', process.env.PAYSTACK_SECRET_KEY!).update(raw).digest('hex')
  if (c.req.header('x-paystack-signature') !== expected) console.warn('wrong signature')
  const event = JSON.parse(raw)
  if (event.event === 'charge.success')
    await db.query("UPDATE orders SET status = 'paid' WHERE reference = $1", [event.data.reference])
  return c.json({ ok: true })
})

export default app
