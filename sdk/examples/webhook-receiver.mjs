// Receive webhook events and verify their signatures. COWRIE_WEBHOOK_SECRET is the whsec_… secret that was shown when the
// endpoint was added.
import { createServer } from 'node:http'
import { verifyWebhook, WebhookError } from '@cowrie/sdk'

const secret = process.env.COWRIE_WEBHOOK_SECRET ?? ''
const handled = new Set()

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    // Pass the raw bytes: parsed and printed again, the body would have another signature.
    const event = await verifyWebhook({ secret, headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(204).end()
    // An event can be delivered more than once.
    if (handled.has(event.id)) return
    handled.add(event.id)
    if (event.type === 'topup.settled')
      console.log(`${event.data.creditedMinor} came by ${event.data.channel}`)
    else console.log(event.type)
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    response.writeHead(400).end(error.message)
  }
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`listening on ${address.port}`)
})
