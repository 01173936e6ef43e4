import { afterEach, expect, test, vi } from 'vitest'
import { startTopup } from './start-topup.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const WISH = { amountMinor: 200_000n, channel: 'card' as const }
const started = () => Response.json({ reference: 'tp1', mode: 'mock', status: 'pending' })
const failure = (status: number, code: string) => Response.json({ error: code, code }, { status })

/** Answers the calls in order. Returns the key and body of each. */
function answering(...answers: (() => Response)[]) {
  const calls: { key: string; body: string }[] = []
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('fetch', async (_: string, init: { headers: Headers; body: string }) => {
    calls.push({ key: init.headers.get('idempotency-key') ?? '', body: init.body })
    const answer = answers[calls.length - 1]
    if (!answer) throw new Error(`there is no answer to call ${calls.length}`)
    return answer()
  })
  return calls
}

/** The SDK retries these failures with the same key. */
const twice = (fail: () => Response) => [fail, fail]

const attempt = (input = WISH, org = 'org_1') => startTopup(org, input).catch((error: Error) => error)

const lost = (): Response => {
  throw new TypeError('Failed to fetch')
}

test.for([
  ['the network', twice(lost)],
  ['the provider', twice(() => failure(503, 'rail_unavailable'))],
  ['the session', [() => failure(401, 'unauthenticated')]],
] as const)('after %s failed, the same wish goes out under the same key', async ([, failing]) => {
  const calls = answering(...failing, started, started)
  await attempt()
  await attempt()
  expect(calls[0]?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(calls[0]?.body).toBe('{"amountMinor":200000,"channel":"card"}')
  // The first one succeeded, so the next is a new payment.
  await attempt()
  const [last, ...before] = calls.map(({ key }) => key).reverse()
  expect(new Set(before).size).toBe(1)
  expect(before).not.toContain(last)
})

test('another amount, another organisation and a payment after a refusal get new keys', async () => {
  const broken = () => failure(401, 'unauthenticated')
  const calls = answering(broken, broken, broken, () => failure(402, 'payment_refused'), started)
  await attempt()
  await attempt({ ...WISH, amountMinor: 200_001n })
  await attempt(WISH, 'org_2')
  await attempt(WISH, 'org_2')
  await attempt(WISH, 'org_2')
  const keys = calls.map(({ key }) => key)
  expect(keys[3]).toBe(keys[2])
  expect(new Set(keys).size).toBe(4)
})

test('an undecided payment keeps its key, despite other payments and answers from proxies', async () => {
  const portal = () => new Response('<p>Sign in to this network</p>', { status: 404 })
  const calls = answering(portal, started, started)
  const other = { ...WISH, amountMinor: 500_000n }
  const input = { ...WISH, amountMinor: 300_000n }
  await attempt(input)
  await attempt(other)
  await attempt(input)
  const [first, between, last] = calls.map(({ key }) => key)
  expect(last).toBe(first)
  expect(between).not.toBe(first)
})

test('a running first attempt is awaited', async () => {
  vi.useFakeTimers()
  const inProgress = () => failure(409, 'idempotency_in_progress')
  const calls = answering(inProgress, inProgress, started)
  const attempted = attempt()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await attempted).toMatchObject({ reference: 'tp1' })
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
})

test('an endless attempt is awaited six times, longer than the lease of its key', async () => {
  vi.useFakeTimers()
  const inProgress = () => failure(409, 'idempotency_in_progress')
  const calls = answering(...Array.from({ length: 12 }, () => inProgress))
  const attempted = attempt()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await attempted).toMatchObject({ code: 'idempotency_in_progress' })
  expect(calls).toHaveLength(12)
})
