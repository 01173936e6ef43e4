// A fake of MTN MoMo Collections. It checks the keys, serves one market and its currency, accepts a request id once, and
// answers an accepted request with an empty body.
import { randomUUID } from 'node:crypto'
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { isCurrency } from '@cowrie/server/src/kernel/money.ts'
import { majorText } from '@cowrie/server/src/payments/rails/amounts.ts'
import { z } from 'zod'
import type { FakeProvider } from './fake-provider.ts'
import {
  type FakeReply,
  type FakeRequest,
  type LoopbackServer,
  startLoopbackServer,
} from './loopback-server.ts'

/**
 * Limits of this rail: MTN refunds through another product that these replies do not show, so `reverse` changes nothing. Test
 * money belongs to the whole environment, so `test` changes nothing either.
 */
export type FakeMomo = FakeProvider & {
  readonly loopback: LoopbackServer
  /** The accepted requests, oldest first. */
  readonly requests: readonly (z.infer<typeof Body> & { readonly id: string; readonly callbackUrl: string })[]
  /** Overrides fields of the status reply. */
  setStatus(reference: string, fields: Record<string, unknown>): void
  /** Invalidates all issued tokens. */
  expireTokens(): void
}

type Request = {
  readonly id: string
  readonly callbackUrl: string
  readonly body: z.infer<typeof Body>
  statusReply: Record<string, unknown>
}

const SUBSCRIPTION_KEY = 'subscription-key'
const API_USER = '0f5f1d3c-5a0e-4a53-9d5c-4f1c2e6f7a10'
const API_KEY = 'api-key'
const TOKEN_PATH = '/collection/token/'
const PATH = '/collection/v1_0/requesttopay'

export async function startFakeMomo({
  target = 'mtnuganda',
  currency = 'UGX',
  callbackHost = 'cowrie.test',
} = {}): Promise<FakeMomo> {
  const requests: Request[] = []
  const tokens = new Set<string>()

  const issueToken = ({ headers }: FakeRequest): FakeReply => {
    if (headers.authorization !== `Basic ${btoa(`${API_USER}:${API_KEY}`)}`)
      return { status: 401, body: { error: 'login_failed' } }
    const token = randomUUID()
    tokens.add(token)
    return { status: 200, body: { access_token: token, token_type: 'access_token', expires_in: 3600 } }
  }

  const acceptRequest = ({ headers, raw }: FakeRequest): FakeReply => {
    if (loopback.fault === 'reject') return fault(500, 'PAYER_NOT_FOUND')
    const id = Uuid.safeParse(headers['x-reference-id'])
    const body = Body.safeParse(JSON.parse(raw))
    if (!id.success || !body.success) return { status: 400, body: '' }
    if (requests.some((each) => each.id === id.data)) return fault(409, 'RESOURCE_ALREADY_EXIST')
    if (body.data.currency !== currency) return fault(500, 'INVALID_CURRENCY')
    requests.push({
      id: id.data,
      callbackUrl: String(headers['x-callback-url']),
      body: body.data,
      statusReply: { ...body.data, status: 'PENDING' },
    })
    return { status: 202, body: '' }
  }

  const replyWithStatus = (path: string): FakeReply => {
    const found = requests.find(({ id }) => path === `${PATH}/${id}`)
    if (!found || loopback.fault === 'reject') return fault(404, 'RESOURCE_NOT_FOUND')
    return { status: 200, body: found.statusReply }
  }

  const loopback = await startLoopbackServer(
    (received) => {
      const { method, path, headers } = received
      if (headers['ocp-apim-subscription-key'] !== SUBSCRIPTION_KEY)
        return gatewayError(401, 'Access denied due to invalid subscription key.')
      if (method === 'POST' && path === TOKEN_PATH) return issueToken(received)
      // Only the sandbox has this call.
      if (target === 'sandbox' && path === `/v1_0/apiuser/${API_USER}`)
        return { status: 200, body: { providerCallbackHost: callbackHost, targetEnvironment: target } }
      if (!tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? ''))
        return gatewayError(401, 'Unauthorized. Access token is invalid.')
      if (headers['x-target-environment'] !== target) return fault(500, 'NOT_ALLOWED_TARGET_ENVIRONMENT')
      if (method === 'GET' && path === '/collection/v1_0/account/balance')
        return { status: 200, body: { availableBalance: '0', currency } }
      if (method === 'POST' && path === PATH) return acceptRequest(received)
      if (method === 'GET' && path.startsWith(`${PATH}/`)) return replyWithStatus(path)
      return gatewayError(404, 'Resource not found')
    },
    ({ path }) => path === TOKEN_PATH,
  )

  const find = (reference: string): Request =>
    present(
      requests.find(({ body }) => body.externalId === reference),
      `a request for ${reference} was made`,
    )
  const setStatus = (reference: string, fields: Record<string, unknown>) => {
    const found = find(reference)
    found.statusReply = { ...found.statusReply, ...fields }
  }

  return {
    loopback,
    variables: {
      MOMO_SUBSCRIPTION_KEY: SUBSCRIPTION_KEY,
      MOMO_API_USER: API_USER,
      MOMO_API_KEY: API_KEY,
      MOMO_TARGET_ENVIRONMENT: target,
      MOMO_BASE_URL: loopback.url,
    },
    get orders() {
      return requests.map(({ id, body }) => ({
        reference: body.externalId,
        providerRef: id,
        amount: body.amount,
        currency: body.currency,
      }))
    },
    get requests() {
      return requests.map(({ id, callbackUrl, body }) => ({ ...body, id, callbackUrl }))
    },
    pay(reference, { amountMinor, currency: paidCurrency } = {}) {
      const { id, body } = find(reference)
      const money = paidCurrency ?? body.currency
      const amount = amountMinor === undefined ? body.amount : textOf(amountMinor, money)
      setStatus(reference, {
        status: 'SUCCESSFUL',
        financialTransactionId: `23503452${Number.parseInt(id.slice(0, 8), 16)}`,
        amount,
        currency: money,
      })
    },
    decline: (reference) => setStatus(reference, { status: 'FAILED', reason: 'APPROVAL_REJECTED' }),
    setStatus,
    reverse: (reference) => void find(reference),
    message: (reference) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(find(reference).statusReply),
    }),
    fault(kind) {
      loopback.fault = kind
    },
    heal() {
      loopback.fault = null
    },
    expireTokens: () => tokens.clear(),
    close: () => loopback.close(),
  }
}

const textOf = (minor: bigint, currency: string): string =>
  isCurrency(currency) ? majorText(minor, currency) : minor.toString()

const fault = (status: number, code: string): FakeReply => ({
  status,
  body: { code, message: 'A message of the provider.' },
})
const gatewayError = (statusCode: number, message: string): FakeReply => ({
  status: statusCode,
  body: { statusCode, message },
})

const Uuid = z.string().regex(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
const Body = z.object({
  amount: z.string().regex(/^\d+(\.\d+)?$/),
  currency: z.string().length(3),
  externalId: z.string().min(1),
  payer: z.object({ partyIdType: z.literal('MSISDN'), partyId: z.string().regex(/^[1-9]\d{7,14}$/) }),
  payerMessage: z.string().max(160),
  payeeNote: z.string().max(160),
})
