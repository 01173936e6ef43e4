// A fake GitHub API server for reviews. It checks the app JWT and the scope of every token, and records everything that is
// published.
import { createHmac, createPublicKey, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { rsaKeys } from '../../harness/rsa-keys.ts'
import { replyTo } from './api.ts'
import { APP_ID, createState, type FakeGithubState } from './state.ts'
import { installationPayload, type PullChange, pullRequestPayload } from './webhooks.ts'
import type { FakeReply } from './wire.ts'

const SECRET = 'webhook-secret'

const LOST_REPLY: FakeReply = { status: 502, body: {} }

export type WebhookMessage = { readonly headers: Record<string, string>; readonly raw: Buffer }

export type FakeGithub = FakeGithubState & {
  readonly variables: Record<string, string>
  /** Returns a reply that replaces the normal one, or null. */
  override:
    | ((method: string, path: string, bearer: string) => FakeReply | null | Promise<FakeReply | null>)
    | null
  /** The size of all bodies of replies. */
  bytesSent: number
  /** Selects requests that are processed but whose reply is lost. */
  dropsReply: ((method: string, path: string) => boolean) | null
  /** A signed webhook message, with a new delivery id unless one is given. */
  message(event: string, body: object, delivery?: string): WebhookMessage
  pullMessage(action: string, repo: string, number: number, change?: PullChange): WebhookMessage
  installationMessage(action: string, id: number): WebhookMessage
  close(): Promise<void>
}

export async function startGithub(): Promise<FakeGithub> {
  const keys = rsaKeys()
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const state = createState()
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => response.destroy(error))
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const method = request.method ?? 'GET'
    const raw = await text(request)
    const path = decodeURIComponent(url.pathname)
    state.requests.push(`${method} ${path}`)
    const bearer = String(request.headers.authorization ?? '').replace('Bearer ', '')
    const apiRequest = {
      method,
      path,
      query: url.searchParams,
      body: raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>),
      bearer,
      isApp: isAppJwt(bearer, publicKey),
      isRaw: String(request.headers.accept).includes('raw'),
    }
    const normal = (await fake.override?.(method, path, bearer)) ?? replyTo(state, apiRequest)
    const answer = fake.dropsReply?.(method, path) ? LOST_REPLY : normal
    const isText = typeof answer.body === 'string' || Buffer.isBuffer(answer.body)
    const type = isText ? 'application/vnd.github.raw+json; charset=utf-8' : 'application/json; charset=utf-8'
    response.writeHead(answer.status, { 'content-type': type, ...answer.headers })
    const body = Buffer.isBuffer(answer.body)
      ? answer.body
      : Buffer.from(isText ? String(answer.body) : JSON.stringify(answer.body))
    fake.bytesSent += body.length
    response.end(body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const message: FakeGithub['message'] = (event, body, delivery = randomUUID()) => {
    const raw = Buffer.from(JSON.stringify(body))
    const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
    const headers = {
      'x-github-event': event,
      'x-github-delivery': delivery,
      'x-hub-signature-256': signature,
    }
    return { raw, headers: { ...headers, 'content-type': 'application/json' } }
  }
  const fake: FakeGithub = {
    ...state,
    override: null,
    bytesSent: 0,
    dropsReply: null,
    variables: {
      SERVICE_GITHUB_APP_ID: String(APP_ID),
      // Line breaks are escaped, as in an environment variable.
      SERVICE_GITHUB_PRIVATE_KEY: privateKey.replaceAll('\n', '\\n'),
      SERVICE_GITHUB_WEBHOOK_SECRET: SECRET,
      SERVICE_GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    message,
    pullMessage: (action, repo, number, change = {}) =>
      message('pull_request', pullRequestPayload(state, action, repo, number, change), change.delivery),
    installationMessage: (action, id) => message('installation', installationPayload(state, action, id)),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
  return fake
}

function isAppJwt(token: string, publicKey: string): boolean {
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (signature === '') return false
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
  const { iss, iat, exp } = read(claims)
  const isShort = Number(exp) - Number(iat) <= 600
  const signed = Buffer.from(`${head}.${claims}`)
  const isSigned = verify(
    'RSA-SHA256',
    signed,
    createPublicKey(publicKey),
    Buffer.from(signature, 'base64url'),
  )
  return read(head).alg === 'RS256' && iss === String(APP_ID) && isShort && isSigned
}
