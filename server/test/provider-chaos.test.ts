// A provider is killed and revived under concurrent streams: each stream is answered by the other one, or costs nothing.
import type { FakeReply, FakeRequest } from '@cowrie/testkit/fakes/models/fake-reply.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type ModelProviders, startModelProviders } from '@cowrie/testkit/gateway/model-providers.ts'
import { type Customer, spentBy } from '@cowrie/testkit/gateway/openai-api.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const STREAMS = rounds(40, 200)
const KILLS = rounds(3, 8)
const STREAMS_PER_CUSTOMER = 10
const BALANCE = 1_000_000_000n

let api: ModelProviders
const customers: Customer[] = []
beforeAll(async () => {
  api = await startModelProviders()
  await api.putModel('pair', ['openai', 'anthropic'], {
    routes: ['openai', 'anthropic'].map((name) => ({
      providerId: api.providerIds[name as 'openai'],
      upstreamModel: `${name}-model`,
      priority: 0,
      weight: 100,
    })),
  })
  while (customers.length < STREAMS / STREAMS_PER_CUSTOMER) customers.push(await api.customer(BALANCE))
})
afterAll(() => api.close())

/**
 * `early`: the killed provider has not sent anything. `middle`: every provider has sent its first words. `late`: the
 * provider is down when the call starts.
 */
type Moment = 'early' | 'middle' | 'late'
type Call = {
  readonly id: string
  readonly moment: Moment
  readonly customer: Customer
  readonly at: number
  readonly isTrial?: boolean
}
type EndedCall = {
  readonly call: Call
  readonly status: number
  readonly text: string
  /** Whether the request reached the provider before it was killed. */
  readonly servedByKilled: boolean
}

/** Different for neighbouring calls, so that a charge for another call changes the sum, and plausible for a short prompt. */
const tokensOf = (id: string) => {
  const number = Number(/\d+$/.exec(id)?.[0])
  return { input: 20 + (number % 887), output: 10 + (number % 47) }
}
/** The price of the model: one kobo per input token, five per output token. */
const costOf = ({ id }: Call) => BigInt(tokensOf(id).input + 5 * tokensOf(id).output)

const FIRST = 'These are the first words'
const LAST = ' and these are the last ones.'

/** The calls that reached a provider. */
const reached = (requests: readonly FakeRequest[]) =>
  new Set(requests.flatMap(({ body }) => /call-\w+-\d+/.exec(JSON.stringify(body))?.[0] ?? []))

function replyTo({ body }: FakeRequest, wire: 'openai' | 'anthropic', rest: Promise<unknown>): FakeReply {
  const [id = '', moment] = /call-(\w+)-\d+/.exec(JSON.stringify(body)) ?? []
  const { input, output } = tokensOf(id)
  const usage =
    wire === 'openai'
      ? { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      : { input_tokens: input, output_tokens: output }
  if (moment === 'middle') return { pieces: [FIRST, rest, LAST], usage }
  if (moment === 'early' && wire === 'openai') return { hang: true }
  return { pieces: [FIRST, LAST], usage }
}

/** A stream of a client in one of the three formats. */
function open(call: Call): { first: Promise<void>; done: Promise<Omit<EndedCall, 'servedByKilled'>> } {
  const { id, customer } = call
  const [path, body] = FORMATS[call.at % FORMATS.length]?.(`Please answer ${id}`) ?? ['', {}]
  const first = gate()
  const read = async () => {
    const response = await fetch(`${api.address}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer.key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify(body),
    })
    let text = ''
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      if (text.includes(FIRST)) first.open()
    }
    return { call, status: response.status, text }
  }
  return { first: first.opened, done: read() }
}
const FORMATS: readonly ((content: string) => readonly [path: string, body: object])[] = [
  (content) => [
    '/v1/chat/completions',
    { model: 'pair', stream: true, messages: [{ role: 'user', content }] },
  ],
  (content) => [
    '/v1/messages',
    { model: 'pair', stream: true, max_tokens: 500, messages: [{ role: 'user', content }] },
  ],
  (content) => [
    '/v1beta/models/pair:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user', parts: [{ text: content }] }] },
  ],
]

let lastNumber = 0
const callsOf = (moment: Moment, count: number): Call[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `call-${moment}-${++lastNumber}`,
    moment,
    at,
    customer: customers[at % customers.length] as Customer,
  }))

/** Calls until the revived provider answers one, which closes its circuit. */
async function closeCircuit(): Promise<EndedCall[]> {
  api.server.clock.advance({ minutes: 2 })
  const trials: EndedCall[] = []
  while (!trials.some(({ servedByKilled }) => servedByKilled)) {
    expect(trials.length).toBeLessThan(60)
    const [call] = callsOf('late', 1)
    if (!call) break
    const end = await open({ ...call, isTrial: true }).done
    trials.push({ ...end, servedByKilled: reached(api.openai.requests).has(call.id) })
  }
  return trials
}

test('no call fails before its first words, and each delivered answer is charged once', async () => {
  const ended: EndedCall[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const rest = gate()
    for (const provider of [api.openai, api.anthropic]) provider.reset()
    api.openai.fallback((request) => replyTo(request, 'openai', rest.opened))
    api.anthropic.fallback((request) => replyTo(request, 'anthropic', rest.opened))

    const third = Math.floor(STREAMS / 3)
    const middle = callsOf('middle', third).map(open)
    const early = callsOf('early', third).map(open)
    await Promise.all(middle.map(({ first }) => first))
    await expect
      .poll(() => reached(api.openai.requests).union(reached(api.anthropic.requests)).size)
      .toBe(2 * third)
    const atKilled = reached(api.openai.requests)
    // Both providers share the calls, also after each revival.
    expect(atKilled.size).toBeGreaterThan(1)

    await api.openai.kill()
    const late = callsOf('late', STREAMS - 2 * third).map(open)
    rest.open()
    for (const { call, status, text } of await Promise.all(
      [...middle, ...early, ...late].map(({ done }) => done),
    ))
      ended.push({ call, status, text, servedByKilled: atKilled.has(call.id) })
    await api.openai.revive()
    ended.push(...(await closeCircuit()))
  }

  expect(ended.filter(({ call }) => !call.isTrial)).toHaveLength(STREAMS * KILLS)
  const whole = ended.filter(({ text }) => text.includes(LAST))
  const broken = ended.filter(({ text }) => !text.includes(LAST))
  expect(ended.filter(({ status, text }) => status !== 200 || !text.includes(FIRST))).toEqual([])
  // Only streams that the killed provider had begun are broken, and all of these are.
  expect(new Set(broken.map(({ call }) => call.id))).toEqual(
    new Set(
      ended
        .filter(({ call, servedByKilled }) => servedByKilled && call.moment === 'middle')
        .map(({ call }) => call.id),
    ),
  )
  expect(broken.filter(({ text }) => !/error/.test(text))).toEqual([])
  expect(broken.length).toBeGreaterThan(0)
  expect(whole.filter(({ servedByKilled }) => servedByKilled).length).toBeGreaterThan(0)

  for (const customer of customers) {
    const own = whole.filter(({ call }) => call.customer === customer)
    expect(await spentBy(api, customer, BALANCE)).toBe(own.reduce((sum, { call }) => sum + costOf(call), 0n))
  }
  const states = await api.server.sql.rows<{ state: string; holds: number }>`
    select state, count(*)::int as holds from holds group by state order by state`
  expect(states).toEqual([
    { state: 'released', holds: broken.length },
    { state: 'settled', holds: whole.length },
  ])
})
