import Stripe from 'stripe'
const stripe = new Stripe(process.env.STRIPE_KEY)
export async function checkout(req, res) {
  const cart = await loadCart(req.body.cartId)
  const intent = await stripe.paymentIntents.create({ amount: cart.totalMinor, currency: 'ngn' })
  res.json({ clientSecret: intent.client_secret })
}
