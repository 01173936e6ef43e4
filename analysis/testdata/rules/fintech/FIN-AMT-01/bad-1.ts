import Stripe from 'stripe'
const stripe = new Stripe(process.env.STRIPE_KEY)
export async function checkout(req, res) {
  const intent = await stripe.paymentIntents.create({ amount: req.body.amount, currency: 'ngn' }) // ← here
  res.json({ clientSecret: intent.client_secret })
}
