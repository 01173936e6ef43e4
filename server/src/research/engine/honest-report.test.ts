// Limits of what a run may state and connect to, whatever pages contain and models invent.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { requireValidCitations } from '@cowrie/testkit/research/citations.ts'
import { PLANTED } from '@cowrie/testkit/research/model-script.ts'
import { type ScriptedWorld, startScriptedWorld } from '@cowrie/testkit/research/scripted-world.ts'
import type { RunDetail } from '@cowrie/testkit/research/world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: ScriptedWorld
let ada: Person
beforeAll(async () => {
  world = await startScriptedWorld()
  ada = await world.customer()
})
afterAll(() => world.close())

const PARTS = [
  'How busy is the port of Makoro?',
  'What does the port of Makoro charge?',
  'Why do ships wait at Makoro?',
  'Why do trucks wait at Makoro?',
  'Who works at the port of Makoro?',
  'How many ships call at Makoro?',
  'Which tugs and pilots has the port of Makoro?',
  'How safe is the port of Makoro?',
]

/** Requests each page by its title, with different words each time. */
function scriptFor(titles: readonly string[]) {
  let gaps = 0
  return {
    plan: JSON.stringify({
      subquestions: PARTS.map((question, at) => ({ question, queries: titles.slice(at * 3, at * 3 + 3) })),
    }),
    gap: () => {
      gaps++
      const queries = titles.map((title, at) => ({
        sub: (at % PARTS.length) + 1,
        query: `${title}${' again'.repeat(gaps)}`,
      }))
      // Only some of them fit into one pass.
      const first = (gaps * 20) % queries.length
      return JSON.stringify({ queries: [...queries.slice(first), ...queries.slice(0, first)] })
    },
  }
}

/** The outcome of each page by path. */
const outcomes = (run: RunDetail) =>
  Object.fromEntries(run.sources.map(({ url, status, reason }) => [new URL(url).pathname, reason ?? status]))

// Hanging pages take the full timeout; the tests of the web client cover them.
const isShown = (path: string) =>
  path !== '/hang' && !/^\/(trade-notes|makoro-observer|coast-daily)/.test(path)

describe('a run over a web full of traps', () => {
  let run: RunDetail
  let ends: Record<string, string>
  let called: ReadonlySet<string>
  beforeAll(async () => {
    const shown = world.web.pages.filter(({ path }) => isShown(path))
    world.web.show(shown.map(({ path }) => path))
    world.script({ answers: scriptFor(shown.map(({ title }) => title)) })
    const calls = noteCalls()
    run = await world.during({ research_max_passes: 5 }, () => world.research(ada, { depth: 'exhaustive' }))
    calls.stop()
    called = calls.ports
    ends = outcomes(run)
  })

  test('finishes, and lists unreadable pages with a reason', () => {
    expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
    expect(ends).toMatchObject({
      '/forbidden': 'http_403',
      '/gone': 'http_404',
      '/broken': 'http_500',
      '/insider': 'paywall',
      '/app': 'empty',
      '/empty': 'empty',
      '/photo': 'not_text',
      '/binary': 'not_text',
      '/private/secret': 'robots',
      '/loop': 'too_many_redirects',
      '/hops': 'too_many_redirects',
      '/inward': 'private_address',
      '/metadata': 'private_address',
      '/database': 'private_address',
      '/file': 'bad_address',
      '/huge': 'too_large',
      '/endless': 'too_large',
      '/bomb': 'too_large',
      '/reset': 'unreachable',
    })
  })

  test('reads every readable format', async () => {
    for (const path of [
      '/yearbook.pdf',
      '/fr/port',
      '/notices.txt',
      '/tides.md',
      '/open.json',
      '/ships',
      '/zipped',
    ])
      expect(ends[path], path).toBe('read')
    expect(await text(run, '/yearbook.pdf')).toContain(
      'The port of Makoro employed 2310 people at the end of 2024.',
    )
    expect(await text(run, '/fr/port')).toContain('Le port de Makoro a été agrandi en 2019')
    expect(await text(run, '/ships')).toMatch(/2024.*1377/)
    expect(await text(run, '/hidden')).not.toContain('Ignore all previous')
  })

  test('counts copies of a page once', () => {
    const copies = ['/wire/cargo', '/mirror/cargo', '/reprint/cargo'].map((path) => ends[path])
    expect(copies.filter((end) => end === 'read')).toHaveLength(1)
    expect(copies.filter((end) => /^duplicate_of_\d+$/.test(end ?? ''))).toHaveLength(2)
    expect([ends['/moved'], ends['/harbour-review/delays-at-makoro']].toSorted()).toMatchObject([
      expect.stringMatching(/^duplicate_of_/),
      'read',
    ])
  })

  test('connects only to the search engine, the web and the model', () => {
    expect(world.web.innerRequests).toEqual([])
    const { web, upstream, server } = world
    const known = [web.origin, web.search.url, upstream.url, server.url].map((url) => new URL(url).port)
    expect(known).toEqual(expect.arrayContaining([...called]))
    expect([...called]).toContain(new URL(web.origin).port)
    expect(world.web.requestedPaths).not.toContain('/private/secret')
  })

  test('states only what pages state', async () => {
    const { citations, quotes } = await requireValidCitations(world, ada, run)
    expect(citations).toBeGreaterThan(30)
    expect(quotes).toBeGreaterThan(20)
  })

  test('ignores instructions on pages', async () => {
    for (const order of ['maintenance mode', 'closed in 1999', 'SECRET', 'F999', 'pixel.png', 'alert(1)']) {
      expect(JSON.stringify(run.findings.map(({ claim }) => claim))).not.toContain(order)
      expect(withoutQuotes(await world.file(ada, run, 'report.md'))).not.toContain(order)
    }
  })
})

test('inventions of a lying model reach neither findings nor files', async () => {
  world.web.show(
    world.web.pages.filter(({ path }) => /^\/(harbour|coast)/.test(path)).map(({ path }) => path),
  )
  const repairs = [1, 2].map((at) => ({ s: at, text: `${PLANTED.claim.slice(0, -1)} [F${at}].` }))
  const model = world.script({
    answers: { repair: JSON.stringify({ repairs }) },
    plants: {
      extract: ['fabricated_quote', 'altered_number', 'foreign_source', 'thinking'],
      report: ['unknown_id', 'unknown_id', 'link', 'image', 'html', 'thinking'],
    },
  })
  const run = await world.research(ada, { depth: 'standard' })
  expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
  expect(model.turns).toContain('repair')
  expect(run.findings.length).toBeGreaterThan(3)
  expect((await requireValidCitations(world, ada, run)).citations).toBeGreaterThan(10)
  const dropped = (await world.events(ada, run.id)).find((event) => event.kind === 'warning')
  expect(dropped).toMatchObject({ code: 'findings_dropped' })
  const files = await Promise.all(['report.md', 'report.html'].map((name) => world.file(ada, run, name)))
  const said = JSON.stringify([run.findings, ...files])
  for (const planted of ['oysters', PLANTED.url, 'canary', PLANTED.id]) expect(said).not.toContain(planted)
})

test('a model whose answers are all cut off still gives a correct report', async () => {
  const shown = world.web.pages.filter(({ path }) => /^\/(harbour|coast)/.test(path))
  world.web.show(shown.map(({ path }) => path))
  const cut = ['cut'] as const
  world.script({ plants: { plan: cut, extract: cut, gap: cut, report: cut } })
  const run = await world.research(ada)
  expect(run.status).toBe('completed')
  expect((await requireValidCitations(world, ada, run)).quotes).toBeGreaterThan(0)
})

/** The ports that this process connects to, whether a server answers or not. */
function noteCalls() {
  const ports = new Set<string>()
  const note = (message: unknown) =>
    // The channel reports sockets before they connect; local sockets have no port.
    (message as { socket: Socket }).socket.on('connectionAttempt', (_, port?: number) => {
      if (port !== undefined) ports.add(String(port))
    })
  subscribe('net.client.socket', note)
  return { ports, stop: () => void unsubscribe('net.client.socket', note) }
}

const withoutQuotes = (markdown: string): string =>
  markdown
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')

async function text(run: RunDetail, path: string): Promise<string> {
  const found = run.sources.find(({ url }) => new URL(url).pathname === path)
  const reply = await world.server.call<{ text: string }>('GET', `/research/${run.id}/sources/${found?.n}`, {
    as: ada,
  })
  return reply.body.text
}
