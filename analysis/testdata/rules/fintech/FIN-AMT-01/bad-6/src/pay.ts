import { Hono } from 'hono'
import { initialize } from './paystack'

const app = new Hono()

app.post('/pay', async (c) => {
  const { cartId, total, email } = await c.req.json()
  const payment = await initialize({ email, amount: total, reference: `cart-${cartId}` }) // ← here
  return c.json({ url: payment.authorization_url })
})

export default app
