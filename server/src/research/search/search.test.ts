import { type FakeSearch, type SearchFault, startSearch, tooMany } from '@cowrie/testkit/fakes/search.ts'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import type { SearchQuery } from '../types.ts'
import { createSearchClient, type SearchClient, type SearchLimits, searchAll } from './search.ts'

const DOCUMENTS = ['maize', 'rice', 'wheat', 'millet', 'teff', 'cassava'].map((crop) => ({
  url: `https://${crop}.example/`,
  title: `About ${crop}`,
  text: `${crop} is grown in many places.`,
}))
const queriesFor = (...texts: string[]): SearchQuery[] => texts.map((text, sub) => ({ text, sub }))
const ALL = queriesFor('maize', 'rice', 'wheat', 'millet', 'teff', 'cassava')

let server: FakeSearch
let provider: SearchClient
beforeAll(async () => {
  server = await startSearch(DOCUMENTS)
  const configured = createSearchClient(readConfig({ SERVICE_SEARCH_URL: server.url }, '0'))
  if (!configured) throw new Error('a provider is configured')
  provider = configured
})
afterEach(() => server.reset())
afterAll(() => server.close())

const DEADLINE_MS = 30_000

/** Without randomness, pauses are as short as possible. */
const search = (queries: readonly SearchQuery[], limits: Partial<SearchLimits> = {}, chance = 0) =>
  searchAll(
    provider,
    queries,
    {
      concurrency: 4,
      timeoutMs: 10_000,
      deadlineMs: DEADLINE_MS,
      retries: 2,
      perQuery: 10,
      signal: new AbortController().signal,
      ...limits,
    },
    () => chance,
  )
const brief = (searched: Awaited<ReturnType<typeof search>>) =>
  searched.map(({ query, hits, tries, trouble }) => [query.text, hits.length, tries, trouble])

describe('searching', () => {
  test('returns results in query order, with the rank and the query of each hit', async () => {
    const first = Promise.withResolvers<void>()
    server.script({ until: first.promise })
    const all = search(ALL.slice(0, 3), { concurrency: 2 })
    await expect.poll(() => server.requests.length).toBe(3)
    first.resolve()
    const [maize, rice] = await all
    expect(maize).toEqual({
      query: ALL[0],
      hits: [
        {
          url: 'https://maize.example/',
          title: 'About maize',
          snippet: 'maize is grown in many places.',
          rank: 0,
          query: ALL[0],
        },
      ],
      tries: 1,
      trouble: null,
    })
    expect(rice?.query).toBe(ALL[1])
  })

  test('without queries returns nothing', async () => {
    expect(await search([])).toEqual([])
  })

  test('limits the hits per query', async () => {
    const [searched] = await search(queriesFor('grown'), { perQuery: 4 })
    expect(searched?.hits.map(({ rank }) => rank)).toEqual([0, 1, 2, 3])
  })

  test('limits the concurrency', async () => {
    const gate = Promise.withResolvers<void>()
    server.fallback(() => ({ until: gate.promise }))
    const all = search(ALL, { concurrency: 3 })
    await expect.poll(() => server.open).toBe(3)
    gate.resolve()
    expect(brief(await all).every(([, hits]) => hits === 1)).toBe(true)
    expect(server.openMost).toBe(3)
    expect(server.requests).toHaveLength(6)
  })
})

describe('transient errors', () => {
  test.for<[string, SearchFault[], number]>([
    ['a server that is down for a moment', [{ status: 500 }, { status: 503 }], 3],
    ['a line that breaks', ['reset'], 2],
    ['a limit without a time', [tooMany()], 2],
  ])('%s is retried', async ([, faults, tries]) => {
    server.script(...faults)
    expect(brief(await search(queriesFor('rice')))).toEqual([['rice', 1, tries, null]])
  })

  test('a hanging attempt times out and is retried', async () => {
    server.script('hang')
    const [searched] = await search(queriesFor('rice'), { timeoutMs: 200, retries: 10 })
    expect(searched).toMatchObject({ hits: [{ url: 'https://rice.example/' }], trouble: null })
    expect(searched?.tries).toBeGreaterThan(1)
  })

  test.for<[SearchFault, string]>([
    [{ status: 500 }, 'unavailable'],
    ['reset', 'unavailable'],
    [tooMany(0), 'limited'],
  ])('%j is retried up to the limit, without affecting other queries', async ([fault, trouble]) => {
    server.fallback(({ text }) => (text === 'rice' ? fault : null))
    expect(brief(await search(queriesFor('rice', 'teff'), { retries: 1 }))).toEqual([
      ['rice', 0, 2, trouble],
      ['teff', 1, 1, null],
    ])
  })

  test('a provider that always hangs gets the timeout on each attempt', async () => {
    server.fallback(() => 'hang')
    expect(brief(await search(queriesFor('rice'), { retries: 1, timeoutMs: 100 }))).toEqual([
      ['rice', 0, 2, 'timeout'],
    ])
    await expect.poll(() => server.open).toBe(0)
  })

  test.for<[SearchFault, string]>([
    [{ status: 403 }, 'refused'],
    ['malformed', 'bad_answer'],
    [{ status: 301, headers: { location: '/elsewhere' } }, 'bad_answer'],
  ])('%j is permanent and not retried', async ([fault, trouble]) => {
    server.script(fault)
    expect(brief(await search(queriesFor('rice')))).toEqual([['rice', 0, 1, trouble]])
    expect(server.requests).toHaveLength(1)
  })

  test('backoff is a random part of a growing limit', async () => {
    server.fallback(() => ({ status: 500 }))
    const before = performance.now()
    const [searched] = await search(queriesFor('rice'), { retries: 2 }, 0.1)
    expect(searched).toMatchObject({ tries: 3, trouble: 'unavailable' })
    expect(performance.now() - before).toBeGreaterThanOrEqual(0.1 * (500 + 1_000) - 5)
  })
})

describe('a provider that asks for a pause', () => {
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0.3' }
  const PAUSE: SearchFault = { status: 429, headers }

  test('is left alone by all queries, and called again afterwards', async () => {
    const asked: number[] = []
    server.fallback(() => {
      asked.push(performance.now())
      return asked.length === 1 ? PAUSE : null
    })
    const searched = await search(queriesFor('rice', 'teff', 'maize'), { concurrency: 1 })
    expect(brief(searched)).toEqual([
      ['rice', 1, 2, null],
      ['teff', 1, 1, null],
      ['maize', 1, 1, null],
    ])
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(290)
  })

  test('beyond the deadline is not waited for, and no request is sent', async () => {
    server.script(tooMany(3_600))
    // A wait for either would exceed the timeout of the test.
    const searched = await search(queriesFor('rice', 'teff'), { concurrency: 1, deadlineMs: 3_000_000 })
    expect(brief(searched)).toEqual([
      ['rice', 0, 1, 'limited'],
      ['teff', 0, 0, 'limited'],
    ])
    expect(server.requests).toHaveLength(1)
  })
})

test('at the deadline found results are kept, and other queries report it', async () => {
  server.fallback(({ text }) => (text === 'rice' ? 'hang' : null))
  const deadline = new AbortController()
  const { timeout } = AbortSignal
  const timers = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((ms) => (ms === DEADLINE_MS ? deadline.signal : timeout(ms)))
  onTestFinished(() => timers.mockRestore())
  const searching = search(queriesFor('teff', 'rice', 'maize'), { concurrency: 1 })
  await expect.poll(() => server.requests.length).toBe(2)
  deadline.abort()
  expect(brief(await searching)).toEqual([
    ['teff', 1, 1, null],
    ['rice', 0, 1, 'deadline'],
    ['maize', 0, 0, 'deadline'],
  ])
  await expect.poll(() => server.open).toBe(0)
})

describe("the caller's abort", () => {
  const leaving = () => {
    const abort = new AbortController()
    return { signal: abort.signal, leave: () => abort.abort(new Error('cancelled')) }
  }

  test('ends running requests and sends no more', async () => {
    const { signal, leave } = leaving()
    server.fallback(() => 'hang')
    const all = search(ALL, { concurrency: 2, signal })
    await expect.poll(() => server.open).toBe(2)
    leave()
    await expect(all).rejects.toThrow('cancelled')
    await expect.poll(() => server.open).toBe(0)
    expect(server.requests).toHaveLength(2)
  })

  test('ends a pause', async () => {
    const { signal, leave } = leaving()
    server.script(tooMany(25))
    const all = search(queriesFor('rice'), { signal })
    await expect.poll(() => server.requests.length === 1 && server.open === 0).toBe(true)
    leave()
    await expect(all).rejects.toThrow('cancelled')
  })

  test('before the start sends nothing', async () => {
    const { signal, leave } = leaving()
    leave()
    await expect(search(ALL, { signal })).rejects.toThrow('cancelled')
    expect(server.requests).toEqual([])
  })
})
