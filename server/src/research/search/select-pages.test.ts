import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registrableDomain } from '../../platform/egress/registrable-domain.ts'
import type { ResearchPlan, SearchHit, SearchQuery } from '../types.ts'
import { CONSIDERED_MAX, type PageSelection, selectPages } from './select-pages.ts'

const PLAN: ResearchPlan = {
  subquestions: [
    { question: 'How much maize does Kenya import?', queries: [] },
    { question: 'What do maize farmers earn?', queries: [] },
    { question: 'Which pests harm maize?', queries: [] },
  ],
}
const about = (choosing: Partial<PageSelection> = {}): PageSelection => ({
  question: 'How is the maize trade of Kenya doing?',
  plan: PLAN,
  known: new Map(),
  pagesMax: 6,
  perDomain: 3,
  ...choosing,
})
const answer = (sub: number, urls: readonly string[], title = 'A page'): { hits: SearchHit[] } => {
  const query: SearchQuery = { sub, text: `query ${sub}` }
  return { hits: urls.map((url, rank) => ({ url, title, snippet: '', rank, query })) }
}
const sites = (count: number, name = 'site') =>
  Array.from({ length: count }, (_, i) => `https://${name}${i}.example/`)
const readOf = (chosen: ReturnType<typeof selectPages>) =>
  chosen.filter(({ reason }) => reason === null).map(({ hit }) => hit.url)

describe('a page that several queries find', () => {
  const [page] = selectPages(
    [
      answer(0, ['https://other.example/', 'https://www.kilimo.example/maize?utm_source=x']),
      answer(2, ['https://kilimo.example/maize']),
    ],
    about(),
  )

  test('is listed once, with its best rank and all its subquestions', () => {
    expect(page).toMatchObject({
      hit: { url: 'https://kilimo.example/maize', rank: 0, query: { sub: 2 } },
      canonical: 'https://kilimo.example/maize',
      subs: [0, 2],
      reason: null,
    })
  })

  test('counts once per result list', () => {
    const twice = answer(0, ['https://a.example/', 'https://b.example/', 'https://b.example/#more'])
    expect(readOf(selectPages([twice], about({ pagesMax: 1 })))).toEqual(['https://a.example/'])
  })
})

describe('the selection', () => {
  test('prefers pages found by more queries, then higher ranks', () => {
    const chosen = selectPages(
      [
        answer(0, ['https://a.example/', 'https://b.example/', 'https://c.example/']),
        answer(0, ['https://c.example/']),
      ],
      about(),
    )
    expect(readOf(chosen)).toEqual(['https://c.example/', 'https://a.example/', 'https://b.example/'])
  })

  test('sorts by URL if ranks are equal, also if sums differ in the last digit', () => {
    const places = { 'https://a.example/': [1, 7, 0], 'https://b.example/': [0, 1, 7] }
    const answers = [0, 1, 2].map((at) => ({
      hits: Object.entries(places).map(([url, ranks]): SearchHit => {
        const rank = ranks[at] ?? 0
        return { url, title: 'A page', snippet: '', rank, query: { sub: 0, text: `query ${at}` } }
      }),
    }))
    expect(readOf(selectPages(answers, about()))).toEqual(['https://a.example/', 'https://b.example/'])
  })

  test('prefers pages whose words match the question', () => {
    const query = { sub: 0, text: 'maize' }
    const page = (name: string, rank: number, snippet: string): SearchHit => ({
      url: `https://${name}.example/`,
      title: name,
      snippet,
      rank,
      query,
    })
    const hits = [
      page('casino', 0, 'Win big tonight.'),
      page('hotel', 1, 'Rooms with a view of Kenya.'),
      page('trade', 2, 'Kenya imports maize from Uganda; import volumes by year.'),
    ]
    expect(readOf(selectPages([{ hits }], about()))).toEqual([
      'https://trade.example/',
      'https://hotel.example/',
      'https://casino.example/',
    ])
  })

  test('gives every subquestion its share', () => {
    const chosen = selectPages(
      [answer(0, sites(20, 'a')), answer(1, sites(1, 'b')), answer(2, sites(20, 'c'))],
      about(),
    )
    const subs = chosen.filter(({ reason }) => reason === null).map(({ hit }) => hit.query.sub)
    expect(subs).toEqual([0, 1, 2, 0, 2, 0])
  })

  test('limits pages per domain while there are others, and marks the rest as less relevant', () => {
    const wiki = Array.from({ length: 5 }, (_, i) => `https://${i}.wiki.example/`)
    const searched = [answer(0, [...wiki, 'https://b.example/'])]
    const chosen = selectPages(searched, about({ pagesMax: 4 }))
    expect(readOf(chosen)).toEqual([...wiki.slice(0, 3), 'https://b.example/'])
    expect(chosen.slice(4).map(({ reason }) => reason)).toEqual(['low_relevance', 'low_relevance'])
    const roomy = selectPages(searched, about({ pagesMax: 5 }))
    expect(readOf(roomy)).toEqual([...wiki.slice(0, 3), 'https://b.example/', wiki[3]])
  })

  test('skips known pages, and names their source', () => {
    const known = new Map([['https://site0.example', 4]])
    const [first, ...others] = selectPages([answer(0, sites(3))], about({ known, pagesMax: 1 }))
    expect(first?.hit.url).toBe('https://site1.example/')
    expect(others.map(({ reason }) => reason)).toEqual(['low_relevance', 'duplicate_of_4'])
  })

  test('considers a limited number, and always those that are read', () => {
    const chosen = selectPages(
      [answer(0, sites(50, 'a')), answer(1, sites(50, 'b'))],
      about({ pagesMax: 40 }),
    )
    expect(chosen).toHaveLength(CONSIDERED_MAX)
    expect(readOf(chosen)).toHaveLength(40)
  })

  test('of nothing is empty, and an unknown subquestion causes no error', () => {
    expect(selectPages([], about())).toEqual([])
    expect(selectPages([answer(0, [])], about())).toEqual([])
    expect(readOf(selectPages([answer(9, sites(1))], about()))).toEqual(sites(1))
  })
})

describe('for any results', () => {
  const words = fc.constantFrom('maize', 'Kenya', 'pests', 'farmers', 'the', 'ugali', 'import')
  const anyHit = fc.record({
    site: fc.integer({ min: 0, max: 12 }),
    path: fc.constantFrom('', 'a', 'a/', 'b?utm_source=x', 'b'),
    title: fc.array(words, { maxLength: 3 }).map((each) => each.join(' ')),
  })
  const anyAnswer = fc
    .tuple(fc.integer({ min: 0, max: 2 }), fc.array(anyHit, { maxLength: 12 }))
    .map(([sub, pages]) => ({
      hits: pages.map(({ site, path, title }, rank): SearchHit => {
        const url = `https://site${site}.example/${path}`
        return { url, title, snippet: title, rank, query: { sub, text: `query ${sub}` } }
      }),
    }))
  const anything = fc.tuple(
    fc.array(anyAnswer, { maxLength: 6 }),
    fc.record({ pagesMax: fc.integer({ min: 1, max: 40 }), perDomain: fc.integer({ min: 1, max: 3 }) }),
  )

  test('each page is listed once within the limits, selected ones first', () => {
    fc.assert(
      fc.property(anything, ([searched, bounds]) => {
        const chosen = selectPages(searched, about(bounds))
        const read = chosen.filter(({ reason }) => reason === null)
        const domains = Map.groupBy(read, ({ hit }) => registrableDomain(hit.url))
        expect(new Set(chosen.map(({ canonical }) => canonical)).size).toBe(chosen.length)
        expect(chosen.length).toBeLessThanOrEqual(CONSIDERED_MAX)
        expect(read.length).toBeLessThanOrEqual(bounds.pagesMax)
        expect(chosen.slice(0, read.length)).toEqual(read)
        expect(read.length).toBe(Math.min(bounds.pagesMax, chosen.length))
        // A domain exceeds its limit only if no other domain is left.
        const most = Math.max(0, ...domains.values().map((pages) => pages.length))
        if (most > bounds.perDomain)
          for (const { hit } of chosen.slice(read.length))
            expect(domains.get(registrableDomain(hit.url))?.length).toBeGreaterThanOrEqual(bounds.perDomain)
      }),
      { numRuns: 100 },
    )
  })

  test('every subquestion with results gets a page if there is room', () => {
    fc.assert(
      fc.property(anything, ([searched]) => {
        const chosen = selectPages(searched, about({ pagesMax: 3, perDomain: 100 }))
        const read = new Set(chosen.filter(({ reason }) => reason === null).flatMap(({ subs }) => subs))
        expect(read).toEqual(new Set(chosen.flatMap(({ subs }) => subs)))
      }),
      { numRuns: 100 },
    )
  })

  test('the selection does not depend on the order of results', () => {
    fc.assert(
      fc.property(anything, ([searched, bounds]) => {
        expect(selectPages(searched.toReversed(), about(bounds))).toEqual(
          selectPages(searched, about(bounds)),
        )
      }),
      { numRuns: 100 },
    )
  })
})
