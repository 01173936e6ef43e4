import { Hono } from 'hono'
import { initialize } from './paystack'
import { db } from './db'

const app = new Hono()

app.post('/pay', async (c) => {
  const { cartId, email } = await c.req.json()
  const { rows } = await db.query('SELECT SUM(price * quantity) AS total FROM cart_items WHERE cart_id = $1', [cartId])
  const payment = await initialize({ email, amount: Number(rows[0].total), reference: `cart-${cartId}` })
  return c.json({ url: payment.authorization_url })
})

export default app
