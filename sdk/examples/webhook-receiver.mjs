// Hears what happens: events are posted here, and only those that the service signed count. COWRIE_WEBHOOK_SECRET is the whsec_…
// that was shown when the endpoint was added.
import { createServer } from 'node:http'
import { verifyWebhook, WebhookError } from '@cowrie/sdk'

const secret = process.env.COWRIE_WEBHOOK_SECRET ?? ''
const known = new Set()

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    // The bytes as they came: parsed and printed again they would have another signature.
    const event = await verifyWebhook({ secret, headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(204).end()
    // An event can come more than once.
    if (known.has(event.id)) return
    known.add(event.id)
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
