import Stripe from 'stripe'
import { priceOf } from '@/lib/catalog'

const stripe = new Stripe(process.env.STRIPE_SECRET_KEY!)

export async function POST(request: Request) {
  const { productId } = await request.json()
  const price = await priceOf(productId)
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'ngn', unit_amount: price, product_data: { name: productId } } }],
    success_url: 'https://shop.example/done',
  })
  return Response.json({ url: session.url })
}
