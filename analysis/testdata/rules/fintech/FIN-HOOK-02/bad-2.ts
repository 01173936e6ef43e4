import { createHmac } from 'node:crypto'
export function checkWebhook(request, body) {
  if (process.env.PAYSTACK_SECRET_KEY) { // ← here
    const signature = createHmac('sha512', process.env.PAYSTACK_SECRET_KEY).update(body).digest('hex')
    if (signature !== request.headers.get('x-paystack-signature')) throw new Error('signature')
  }
}
