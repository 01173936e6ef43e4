import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'FIN-AMT-01',
    bad: [
      `import Stripe from 'stripe'
const stripe = new Stripe(process.env.STRIPE_KEY)
export async function checkout(req, res) {
  const intent = await stripe.paymentIntents.create({ amount: req.body.amount, currency: 'ngn' }) // ← here
  res.json({ clientSecret: intent.client_secret })
}`,
      `const axios = require('axios')
exports.pay = async (req, res) => {
  const order = await Order.findById(req.params.id)
  const reply = await axios.post('https://api.paystack.co/transaction/initialize', { email: order.email, amount: req.body.amount }) // ← here
  res.json(reply.data)
}`,
      `const paystack = require('./paystack')
exports.checkout = async (req, res) => {
  const { planId, amount, email } = req.body
  const plan = await Plan.findOne({ id: planId })
  const reply = await paystack.initializeTransaction({ email, amount: amount * 100, metadata: { plan: plan.id } }) // ← here
  res.json(reply)
}`,
      `=== app/Pay.php
<?php
class PayController {
  public function pay(Request $request) {
    $order = Order::find($request->order_id);
    return Http::post('https://api.paystack.co/transaction/initialize', ['email' => $order->email, 'amount' => $request->amount]); // ← here
  }
}`,
    ],
    good: [
      `import Stripe from 'stripe'
const stripe = new Stripe(process.env.STRIPE_KEY)
export async function checkout(req, res) {
  const cart = await loadCart(req.body.cartId)
  const intent = await stripe.paymentIntents.create({ amount: cart.totalMinor, currency: 'ngn' })
  res.json({ clientSecret: intent.client_secret })
}`,
      `const axios = require('axios')
exports.pay = async (req, res) => {
  const order = await Order.findById(req.params.id)
  const reply = await axios.post('https://api.paystack.co/transaction/initialize', { email: order.email, amount: order.totalMinor })
  res.json(reply.data)
}`,
      `const axios = require('axios')
exports.topUp = async (req, res) => {
  const { amount } = req.body
  if (amount < 10000) return res.sendStatus(400)
  const reply = await axios.post('https://api.paystack.co/transaction/initialize', { email: req.user.email, amount })
  res.json(reply.data)
}`,
      `const axios = require('axios')
exports.pay = async (req, res) => {
  const order = await Order.findById(req.params.id)
  if (order.total !== req.body.amount) return res.sendStatus(409)
  const reply = await axios.post('https://api.paystack.co/transaction/initialize', { email: order.email, amount: req.body.amount })
  res.json(reply.data)
}`,
    ],
  },
  {
    rule: 'FIN-AMT-02',
    bad: [
      `exports.transfer = async (req, res) => {
  const { amount, to } = req.body
  const sender = await Wallet.findOne({ user: req.user.id })
  sender.balance -= amount // ← here
  await sender.save()
  res.json({ ok: true })
}`,
      `const app = require('express')()
app.post('/wallet/withdraw', async (req, res) => {
  const amount = req.body.amount
  const wallet = await Wallet.findOne({ user: req.user.id })
  if (wallet.balance < amount) return res.sendStatus(402)
  await wallet.decrement('balance', { by: amount }) // ← here
  res.json({ ok: true })
})`,
      `=== wallet/views.py
def transfer(request):
    amount = int(request.POST['amount'])
    wallet = request.user.wallet
    if wallet.balance < amount:
        return HttpResponse(status=402)
    wallet.balance -= amount  # ← here
    wallet.save()`,
    ],
    good: [
      `exports.transfer = async (req, res) => {
  const { amount, to } = req.body
  if (!Number.isSafeInteger(amount) || amount <= 0) return res.sendStatus(400)
  const sender = await Wallet.findOne({ user: req.user.id })
  sender.balance -= amount
  await sender.save()
}`,
      `const schema = z.object({ amount: z.int().positive() })
exports.transfer = async (req, res) => {
  const { amount } = schema.parse(req.body)
  const sender = await Wallet.findOne({ user: req.user.id })
  sender.balance -= amount
  await sender.save()
}`,
      `=== wallet/views.py
def transfer(request):
    amount = int(request.POST['amount'])
    if amount <= 0:
        return HttpResponse(status=400)
    request.user.wallet.balance -= amount
    request.user.wallet.save()`,
    ],
  },
  {
    rule: 'FIN-AMT-03',
    bad: [
      `const axios = require('axios')
exports.verify = async (req, res) => {
  const { data } = await axios.get('https://api.paystack.co/transaction/verify/' + req.params.reference)
  if (data.data.status === 'success') {
    const order = await Order.findOne({ reference: req.params.reference })
    await order.update({ status: 'paid' }) // ← here
  }
  res.end()
}`,
      `export async function paystackWebhook(req, res) {
  const { data } = req.body
  await Order.updateOne({ reference: data.reference }, { paymentStatus: 'paid' }) // ← here
  res.end()
}`,
      `=== payments/views.py
import requests
def verify(request, reference):
    reply = requests.get('https://api.paystack.co/transaction/verify/' + reference).json()
    if reply['data']['status'] == 'success':
        order = Order.objects.get(reference=reference)
        order.status = 'paid'
        order.save()  # ← here`,
    ],
    good: [
      `const axios = require('axios')
exports.verify = async (req, res) => {
  const { data } = await axios.get('https://api.paystack.co/transaction/verify/' + req.params.reference)
  const order = await Order.findOne({ reference: req.params.reference })
  if (data.data.status === 'success' && data.data.amount === order.totalMinor && data.data.currency === order.currency)
    await order.update({ status: 'paid' })
  res.end()
}`,
      `const axios = require('axios')
exports.verify = async (req, res) => {
  const { data } = await axios.get('https://api.paystack.co/transaction/verify/' + req.params.reference)
  res.json({ status: data.data.status })
}`,
      `exports.deliver = async (req, res) => {
  const order = await Order.findOne({ id: req.params.id })
  await order.update({ status: 'completed' })
  res.end()
}`,
    ],
  },
  {
    rule: 'FIN-VER-01',
    bad: [
      `const app = require('express')()
app.get('/payment/callback', async (req, res) => {
  if (req.query.status === 'successful') { // ← here
    await Order.updateOne({ txRef: req.query.tx_ref }, { paid: true })
  }
  res.redirect('/orders')
})`,
      `=== shop/payment.py
from flask import request
@app.route('/payment/done')
def done():
    if request.args.get('status') == 'success':  # ← here
        order = Order.query.get(request.args['order'])
        order.update(paid=True)
    return 'ok'`,
      `=== payment.php
<?php
function paymentCallback($db) {
  if ($_GET['status'] == 'successful') { // ← here
    $db->execute("update orders set paid = 1 where reference = ?", [$_GET['tx_ref']]);
  }
}`,
    ],
    good: [
      `const app = require('express')()
app.get('/payment/callback', async (req, res) => {
  if (req.query.status === 'cancelled') return res.redirect('/cart')
  const paid = await flutterwave.Transaction.verify({ id: req.query.transaction_id })
  if (paid.data.status === 'successful') await Order.updateOne({ txRef: paid.data.tx_ref }, { paid: true })
  res.redirect('/orders')
})`,
      `const query = useQuery(['orders'])
export const isDone = () => query.status === 'success'`,
      `const app = require('express')()
app.get('/orders', async (req, res) => {
  if (req.query.status === 'completed') return res.json(await Order.find({ status: 'completed' }))
  res.json([])
})`,
    ],
  },
]
