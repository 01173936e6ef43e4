// The paths of money, from sign-up to refund, through the public API of a running service.
import { randomBytes } from 'node:crypto'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { expect } from 'vitest'
import type { Sql } from '../../server/src/platform/db/tx.ts'

const PASSWORD = 'three pelicans in April'
const TOPUP_MINOR = 500_000
const REFUND_MINOR = 120_000
const PATIENCE = { timeout: scaledTimeout(30_000) }

export type Service = {
  readonly address: string
  readonly sql: Sql
  readonly paystack: FakePaystack
  readonly rootEmail: string
}
/** A customer and what the service confirmed. */
export type Account = { readonly email: string; readonly cookie: string; readonly balanceMinor: number }

type Body = Record<string, unknown>
type Reply = { readonly status: number; readonly body: Body; readonly text: string; readonly cookie: string }

async function call(
  { address }: Service,
  method: string,
  path: string,
  { cookie = '', body, key }: { cookie?: string; body?: object; key?: string } = {},
): Promise<Reply> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: {
      ...(cookie && { cookie }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const session = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { status: response.status, text, body: isJson ? JSON.parse(text) : {}, cookie: session }
}

async function succeed(...words: Parameters<typeof call>): Promise<Reply> {
  const reply = await call(...words)
  expect(reply.status, `${words[1]} ${words[2]}: ${reply.text}`).toBeLessThan(300)
  return reply
}

export const balanceOf = async (service: Service, cookie: string): Promise<number> =>
  Number((await succeed(service, 'GET', '/wallet', { cookie })).body.balanceMinor)

/** Signs up, pays by card with a webhook that arrives twice, runs, chats, and gets a refund. */
export async function passMoneyPaths(service: Service): Promise<Account> {
  const { paystack, address } = service
  const { email, cookie } = await signUp(service)
  const started = await succeed(service, 'POST', '/wallet/topup', {
    cookie,
    key: 'first',
    body: { amountMinor: TOPUP_MINOR, channel: 'card' },
  })
  const reference = String(started.body.reference)
  paystack.pay(reference)
  const webhook = paystack.message(reference)
  for (let times = 0; times < 2; times++) {
    const received = await fetch(`${address}/webhooks/card_provider`, { method: 'POST', ...webhook })
    expect(received.status, await received.text()).toBe(200)
  }
  await expect.poll(() => balanceOf(service, cookie), PATIENCE).toBe(TOPUP_MINOR)

  const run = { prompt: 'Use another word.', context: [{ path: 'word.txt', content: 'word is bad\n' }] }
  const first = await succeed(service, 'POST', '/agent/run', { cookie, key: 'run', body: run })
  const repeated = await succeed(service, 'POST', '/agent/run', { cookie, key: 'run', body: run })
  expect(repeated.body).toEqual(first.body)
  const runMinor = Number(first.body.costMinor)
  expect(runMinor).toBeGreaterThan(0)
  const afterRun = TOPUP_MINOR - runMinor
  expect(await balanceOf(service, cookie)).toBe(afterRun)

  const thread = await succeed(service, 'POST', '/chat/threads', { cookie, body: {} })
  const path = `/chat/threads/${thread.body.id}/messages`
  const answer = await succeed(service, 'POST', path, { cookie, key: 'chat', body: { prompt: 'Hello.' } })
  const chatMinor = Number(/"costMinor":(\d+)/.exec(answer.text)?.[1] ?? Number.NaN)
  expect(chatMinor, answer.text).toBeGreaterThan(0)
  await expect.poll(() => balanceOf(service, cookie), PATIENCE).toBe(afterRun - chatMinor)

  const orgId = (await succeed(service, 'GET', '/me', { cookie })).body.orgId
  const root = await succeed(service, 'POST', '/auth/dev-login', { body: { email: service.rootEmail } })
  const refund = { orgId, amountMinor: REFUND_MINOR, reason: 'Paid twice', reference }
  for (let times = 0; times < 2; times++)
    await succeed(service, 'POST', '/wallet/refund', { cookie: root.cookie, key: `${orgId}`, body: refund })
  const balanceMinor = afterRun - chatMinor + REFUND_MINOR
  expect(await balanceOf(service, cookie)).toBe(balanceMinor)
  const invariants = await succeed(service, 'GET', '/admin/ledger/invariants', { cookie: root.cookie })
  expect(invariants.body).toMatchObject({ ok: true })
  return { email, cookie, balanceMinor }
}

/** Registers with a password and confirms the address with the link of the mail. */
async function signUp(service: Service): Promise<{ email: string; cookie: string }> {
  const email = `${randomBytes(8).toString('hex')}@example.com`
  const registered = await succeed(service, 'POST', '/auth/register', { body: { email, password: PASSWORD } })
  const token = async () => {
    const mails = await service.sql.rows<{ text: string }>`
      select body_text as text from mail_outbox where recipient = ${email}`
    return mails.flatMap(({ text }) => /token=([\w-]{43})\b/.exec(text)?.[1] ?? [])[0]
  }
  await expect.poll(token, PATIENCE).toBeDefined()
  const body = { token: await token() }
  await succeed(service, 'POST', '/auth/verify', { body, cookie: registered.cookie })
  const { cookie } = await succeed(service, 'POST', '/auth/login', { body: { email, password: PASSWORD } })
  return { email, cookie }
}
