// The amount is converted in steps, and a helper asks the provider for the payment.
import { Hono } from 'hono'

const app = new Hono()

async function begin(fields: object) {
  const answer = await fetch('https://api.paystack.co/transaction/initialize', {
    method: 'POST',
    body: JSON.stringify(fields),
  })
  return answer.json()
}

app.post('/orders/:id/checkout', async (c) => {
  const given = await c.req.json()
  const total = Number(given.amount)
  const kobo = total * 100
  return c.json(await begin({ email: given.email, orderId: given.orderId, amount: kobo })) // ← here
})

app.post('/orders/:id/checkout/again', async (c) =>
  c.json(await begin({ orderId: c.req.param('id'), amount: Number((await c.req.json()).amount) })), // ← here
)
