// A webhook receiver on loopback with scripted replies. It verifies signatures independently.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deliver } from '@cowrie/server/src/hooks/deliveries/deliver.ts'
import type { DeliveryId } from '@cowrie/server/src/hooks/deliveries/deliveries-sql.ts'
import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import { fromJson } from '@cowrie/server/src/kernel/json.ts'
import type { Person, TestServer } from '../harness/harness.ts'

export type ReceivedWebhook = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly body: { type: string; timestamp: string; data: Record<string, unknown> }
}

/** A status, or an action on the connection. */
export type ReceiverReply = number | 'hang' | 'reset' | ((response: ServerResponse) => void)

export type Receiver = {
  readonly url: string
  /** The webhooks received at a path, oldest first. */
  at(path: string): ReceivedWebhook[]
  /** Sets the reply of a path. Default: 204. */
  answer(path: string, reply: ReceiverReply): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  const replies = new Map<string, ReceiverReply>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString('utf8')
    const path = request.url ?? ''
    const body = (text === '' ? {} : fromJson(text)) as ReceivedWebhook['body']
    received.push({ path, headers: request.headers, text, body })
    applyReply(replies.get(path) ?? 204, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: (path) => received.filter((each) => each.path === path),
    answer: (path, reply) => void replies.set(path, reply),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function applyReply(reply: ReceiverReply, response: ServerResponse): void {
  if (reply === 'reset') response.destroy()
  else if (typeof reply === 'function') reply(response)
  else if (reply !== 'hang') response.writeHead(reply).end()
}

/** The positions of the signatures that this secret created, according to Standard Webhooks. */
export function matchingSignatures(secret: string, { headers, text }: ReceivedWebhook): number[] {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature'])
    .split(' ')
    .flatMap((each, position) => (each === expected ? [position] : []))
}

export type EndpointBody = {
  id: string
  url: string
  events: string[] | null
  enabled: boolean
  disabledReason: string | null
  failingSince: string | null
  previousUntil: string | null
}
export type DeliveryBody = {
  id: string
  eventId: string
  type: string
  status: string
  attempts: number
  lastStatus: number | null
  lastError: string | null
  nextAttemptAt: string | null
}

export async function addEndpoint(server: TestServer, as: Person, url: string, more: object = {}) {
  const { body } = await server.call<{ endpoint: EndpointBody; secret: string }>(
    'POST',
    '/webhook-endpoints',
    { as, body: { url, ...more } },
  )
  return { ...body.endpoint, secret: body.secret }
}

export async function deliveriesOf(server: TestServer, as: Person, endpointId: string, query = {}) {
  const reply = await server.call<{ deliveries: DeliveryBody[]; nextCursor: string | null }>(
    'GET',
    `/webhook-endpoints/${endpointId}/deliveries`,
    { as, query },
  )
  return reply.body
}

/** Runs only the due deliveries, without other due jobs after a test has moved the clock. */
export async function sendDue({ app, sql, clock }: TestServer): Promise<void> {
  const due = await sql.rows<{ id: DeliveryId; org: OrgId }>`
    select id, org_id as org from hook_deliveries where status = 'pending' and next_attempt_at <= ${clock.now()}`
  for (const { id, org } of due) await deliver(app, org, id)
}
