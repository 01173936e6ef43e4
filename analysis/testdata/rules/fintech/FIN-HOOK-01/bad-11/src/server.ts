import Fastify from 'fastify'
import { isSigned } from './signature'
import { db } from './db'

const app = Fastify()

app.addHook('preHandler', async (request) => {
  request.log.info({ signed: isSigned(request.headers['x-paystack-signature'] as string) }, 'webhook.received')
})

app.post('/webhooks/paystack', async (request, reply) => { // ← here
  const event = request.body as any
  if (event.event === 'charge.success') await db.orders.update({ reference: event.data.reference }, { status: 'paid' })
  return reply.code(200).send()
})
