import Fastify from 'fastify'
import axios from 'axios'

const app = Fastify()

app.post('/orders/:id/momo', async (request, reply) => {
  const body = request.body as { amount: string; phone: string }
  await axios.post('https://proxy.momoapi.mtn.com/collection/v1_0/requesttopay', { // ← here
    amount: body.amount,
    currency: 'UGX',
    externalId: (request.params as any).id,
    payer: { partyIdType: 'MSISDN', partyId: body.phone },
  })
  return reply.code(202).send()
})
