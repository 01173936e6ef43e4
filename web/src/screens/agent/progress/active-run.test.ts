import { afterEach, expect, test, vi } from 'vitest'

const ORDER = { kind: 'run', body: { prompt: 'Add a test', maxMinor: 500n } } as const
const ME = { userId: 'usr_1', orgId: 'org_1' }
const DONE = {
  id: 'run_1',
  lane: 'open',
  model: 'm',
  costMinor: 100,
  balanceMinor: 900,
  summary: '',
  edits: [],
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const failure = (status: number, code: string, headers = {}) =>
  Response.json({ error: code, code }, { status, headers })
const lost = (): Response => {
  throw new TypeError('Failed to fetch')
}

/** Answers the attempts of the run in order. Returns the received keys. */
async function running(...answers: (() => Response)[]) {
  const keys: string[] = []
  vi.stubGlobal(
    'document',
    Object.assign(new EventTarget(), { cookie: 'service_signed_in=1', hidden: false }),
  )
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
  vi.stubGlobal('fetch', async (url: string, init: { headers: Headers }) => {
    if (!url.includes('/agent/run')) return Response.json(ME)
    keys.push(init.headers.get('idempotency-key') ?? '')
    const answer = answers[keys.length - 1]
    if (!answer) throw new Error(`there is no answer to attempt ${keys.length}`)
    return answer()
  })
  // Retries do not wait while the page is visible.
  const looking = setInterval(() => document.dispatchEvent(new Event('visibilitychange')), 10)
  const { resumeSession: resume } = await import('../../../data/session.ts')
  const job = await import('./active-run.ts')
  await resume()
  await job.startRun('usr_1 org_1', ORDER, 500n)
  clearInterval(looking)
  return { keys, job }
}

test.for([
  ['too many calls', () => failure(429, 'rate_limited', { 'retry-after': '1' })],
  ['a busy service', () => failure(503, 'busy')],
  ['something in between', () => new Response('<p>Sign in to this network</p>', { status: 200 })],
] as const)('what may be under way is asked for under the same key, also after %s', async ([, busy]) => {
  const { keys, job } = await running(lost, busy, () => Response.json(DONE))
  expect(job.activeRun.value).toMatchObject({ state: 'done', view: { id: 'run_1' } })
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

test('an unknown outcome is requested again; a run refused by a busy service never started', async () => {
  const unknown = await running(
    () => failure(503, 'outcome_unknown'),
    () => Response.json(DONE),
  )
  expect(unknown.job.activeRun.value?.state).toBe('done')
  expect(new Set(unknown.keys).size).toBe(1)

  vi.resetModules()
  const { job } = await running(() => failure(503, 'busy'))
  expect(job.activeRun.value).toMatchObject({ state: 'refused', mayHaveBegun: false })
})
