// The rules of robots.txt, and the behaviour when it cannot be fetched.

import type { RequestListener, ServerResponse } from 'node:http'
import { measureAsyncCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import {
  handTimer,
  openTestWeb,
  refusal,
  type Site,
  site,
  USER_AGENT,
  unending,
} from '@cowrie/testkit/platform/web.ts'
import fc from 'fast-check'
import robotsParser from 'robots-parser'
import { expect, test } from 'vitest'
import { createRobotsCache } from './robots.ts'

type AnswerRobots = (response: ServerResponse) => unknown

/** A site with this robots.txt that serves every page. */
function siteWith(robots: string | AnswerRobots): Promise<Site> {
  const answer: RequestListener = (request, response) => {
    const isRobots = request.url === '/robots.txt'
    if (isRobots && typeof robots !== 'string') return void robots(response)
    response.writeHead(200, { 'content-type': 'text/plain' }).end(isRobots ? robots : 'a page')
  }
  return site(answer, { hasRobots: true })
}

const status =
  (code: number, headers: Record<string, string> = {}): AnswerRobots =>
  (response) =>
    response.writeHead(code, headers).end('User-agent: *\nDisallow: /')

const ours = 'User-agent: CowrieResearch\n'
const everybody = 'User-agent: *\n'

test.for<[string, string | AnswerRobots, string, string | null]>([
  ['nothing', '', '/page', null],
  ['no rules for us', 'User-agent: OtherBot\nDisallow: /', '/page', null],
  ['everything forbidden', `${everybody}Disallow: /`, '/page', 'robots'],
  ['everything allowed', `${everybody}Disallow:`, '/page', null],
  ['our name forbidden', `${ours}Disallow: /`, '/page', 'robots'],
  [
    'our name in another case with another version',
    'user-agent: cowrieRESEARCH/2.0\ndisallow: /',
    '/page',
    'robots',
  ],
  ['our name allowed and others forbidden', `${everybody}Disallow: /\n\n${ours}Allow: /`, '/page', null],
  ['two agent lines for one rule', `User-agent: OtherBot\n${ours}Disallow: /`, '/page', 'robots'],
  ['another path forbidden', `${everybody}Disallow: /private/`, '/page', null],
  ['a longer allow rule', `${everybody}Disallow: /\nAllow: /page`, '/page', null],
  ['a longer disallow rule', `${everybody}Allow: /\nDisallow: /page`, '/page', 'robots'],
  ['wildcards with an end anchor that matches', `${everybody}Disallow: /*.pdf$`, '/a/b.pdf', 'robots'],
  ['wildcards with an end anchor that does not match', `${everybody}Disallow: /*.pdf$`, '/a/b.pdf?x', null],
  ['a query forbidden', `${everybody}Disallow: /*?session=`, '/page?session=1', 'robots'],
  [
    'a byte order mark and carriage returns',
    `\uFEFF${everybody.replace('\n', '\r\n')}Disallow: /\r\n`,
    '/page',
    'robots',
  ],
  ['an HTML page', '<!doctype html><title>Not found</title><p>Disallow: all hope</p>', '/page', null],
  ['bytes that are not UTF-8', (response) => response.end(Buffer.from([0xff, 0xfe, 0, 1, 2])), '/page', null],
  ['a short crawl delay', `${everybody}Crawl-delay: 5`, '/page', null],
  ['a long crawl delay', `${everybody}Crawl-delay: 6`, '/page', 'robots'],
  ['an infinite crawl delay', `${everybody}Crawl-delay: Infinity`, '/page', 'robots'],
  ['a crawl delay that is not a number', `${everybody}Crawl-delay: soon`, '/page', null],
  ['400', status(400), '/page', null],
  ['401', status(401), '/page', null],
  ['403', status(403), '/page', null],
  ['404', status(404), '/page', null],
  ['410', status(410), '/page', null],
  ['429', status(429), '/page', null],
  ['500', status(500), '/page', 'robots'],
  ['503', status(503), '/page', 'robots'],
  ['304', status(304), '/page', 'robots'],
  ['a redirect loop', status(302, { location: '/robots.txt' }), '/page', null],
  [
    'a redirect to a private address',
    status(302, { location: 'http://10.0.0.1/robots.txt' }),
    '/page',
    'private_address',
  ],
  ['a corrupt gzip body', status(200, { 'content-encoding': 'gzip' }), '/page', 'robots'],
  [
    'a connection closed before the response',
    (response) => response.socket?.destroy(),
    '/page',
    'unreachable',
  ],
])('applies %s in robots.txt', async ([, robots, path, reason]) => {
  const { origin, rules, requestedPaths: asked } = await siteWith(robots)
  expect(await refusal(openTestWeb()(origin + path, rules, unending()))).toBe(reason)
  expect(asked.includes(path)).toBe(reason === null)
})

test('follows a redirect of robots.txt', async () => {
  const { origin, rules } = await site(
    ({ url }, response) => {
      if (url === '/robots.txt') response.writeHead(301, { location: '/moved.txt' }).end()
      else response.end(`${everybody}Disallow: /page`)
    },
    { hasRobots: true },
  )
  expect(await refusal(openTestWeb()(`${origin}/page`, rules, unending()))).toBe('robots')
})

test('reads only the beginning of a long robots.txt', async () => {
  const filler = '#'.repeat(1_000)
  const long = (rule: string, after: number) =>
    `${everybody}${`${filler}\n`.repeat(after)}${rule}\n${`${filler}\n`.repeat(700 - after)}`
  const early = await siteWith(long('Disallow: /', 500))
  expect(await refusal(openTestWeb()(`${early.origin}/page`, early.rules, unending()))).toBe('robots')
  const late = await siteWith(long('Disallow: /', 600))
  expect(await refusal(openTestWeb()(`${late.origin}/page`, late.rules, unending()))).toBeNull()
})

test('forbids a site whose robots.txt would take long to match', async () => {
  const costly = await siteWith(everybody + 'Disallow: /*a*a*a*a*a*a*b\n'.repeat(15_000))
  const address = `${costly.origin}/${'a'.repeat(1_500)}`
  const open = async () =>
    expect(await refusal(openTestWeb()(address, costly.rules, unending()))).toBe('robots')
  expect(await measureAsyncCost(open)).toBeLessThan(2_000)
})

const BYTES_MAX = 512 * 1024
const flood = (part: string, bytes = BYTES_MAX): string => part.repeat(Math.floor(bytes / part.length))
const others = Array.from({ length: 500 }, (_, i) => `User-agent: bot${i}\n`).join('')

test.for<[string, string]>([
  ['many agent names for many rules', others + 'Disallow: /a\n'.repeat(9_490)],
  ['many agent names, ours among them', others + ours + everybody + flood('Disallow: /a\n', BYTES_MAX / 2)],
  [
    'our name repeated many times',
    flood(ours + everybody, BYTES_MAX / 2) + flood('Disallow: /a\n', BYTES_MAX / 2),
  ],
  ['many groups', flood(`${everybody}Disallow: /a\n`)],
  ['many rules', everybody + flood('Disallow: /a\n')],
  ['many rules in other scripts', everybody + flood('Disallow: /\u9801*\n', BYTES_MAX / 2)],
  ['many crawl delays', everybody + flood('Crawl-delay: 1\n')],
  ['one very long line', `${everybody}Disallow: /${flood('a')}`],
  ['one very long line of wildcards', `${everybody}Disallow: /${flood('*a')}`],
  ['carriage returns as line ends', `${everybody}${flood('Disallow: /a\n')}`.replaceAll('\n', '\r')],
  ['only line ends', flood('\r\n')],
  ['rules without a group', flood('Disallow: /a\n')],
  ['a byte order mark', `\uFEFF${everybody}${flood('Disallow: /a\n')}`],
  ['comments', everybody + flood('#\n')],
  ['colons', flood(':\n')],
  ['an agent name of spaces', `User-agent:${flood(' ')}`],
  ['maps', everybody + flood('Sitemap: /a\n')],
])('matches quickly with %s in robots.txt', async ([, text]) => {
  const robots = createRobotsCache(() => 0)
  for (const path of ['/page', `/${'a'.repeat(2_000)}`, `/${'\u9801'.repeat(2_000)}`]) {
    const admit = () =>
      refusal(robots.admit(new URL(path, 'https://site.example'), USER_AGENT, async () => ({ text })))
    expect(await measureAsyncCost(admit)).toBeLessThan(1_000)
  }
})

test('applies rules after a flood of comments or of rules for other agents', async () => {
  for (const before of [
    flood('#\n', BYTES_MAX / 2),
    flood('User-agent: OtherBot\nAllow: /\n', BYTES_MAX / 2),
  ]) {
    const { origin, rules } = await siteWith(`${before}\n${everybody}Disallow: /page`)
    expect(await refusal(openTestWeb()(`${origin}/page`, rules, unending()))).toBe('robots')
  }
})

test('the selected rules decide the same as the whole file', async () => {
  // The package exports one function, but its types declare a default export.
  const parse = robotsParser as unknown as (typeof robotsParser)['default']
  const line = fc.constantFrom(
    ...[
      'User-agent: *',
      'user-agent : CowrieResearch/3',
      'User-agent: OtherBot',
      'User-agent:',
      'User-agent: **',
    ],
    ...[
      'Disallow: /',
      'Disallow:',
      'disallow: /a # b',
      'Allow: /a',
      'Allow : /*b$',
      'Disallow: /%e9',
      'Disallow: /é%25',
    ],
    ...[
      'Crawl-delay: 2',
      'Crawl-delay: x',
      'Crawl-delay:',
      'Sitemap: /a',
      'Noindex: /a',
      '',
      '# a',
      'nonsense',
      ': a',
    ],
  )
  const path = fc.constantFrom('/', '/a', '/ab', '/b', '/é', '/%C3%A9%25', '/%E9')
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), path, async (lines, each) => {
      const text = lines.join('\n')
      const url = new URL(each, 'https://site.example')
      const whole = parse('https://site.example/robots.txt', text)
      const isClosed = whole.isAllowed(url.href, USER_AGENT) === false
      const delayMs = (whole.getCrawlDelay(USER_AGENT) ?? 0) * 1_000
      const admission = createRobotsCache(() => 0).admit(url, USER_AGENT, async () => ({ text }))
      expect(await admission.catch(() => 'closed')).toBe(isClosed ? 'closed' : delayMs)
    }),
    { numRuns: rounds(60, 1_000) },
  )
})

test('limits the memory of cached rules', async () => {
  const robots = createRobotsCache(() => 0)
  const text = everybody + 'Disallow: /a\n'.repeat(5_000)
  let loads = 0
  const visit = (n: number) =>
    robots.admit(new URL(`https://site${n}.example/`), USER_AGENT, async () => {
      loads++
      return { text }
    })
  for (let n = 0; n < 30; n++) await visit(n)
  await visit(29)
  expect(loads).toBe(30)
  await visit(0)
  expect(loads).toBe(31)
})

test('caches rules per user agent', async () => {
  const robots = createRobotsCache(() => 0)
  const load = async () => ({ text: `${ours}Disallow: /` })
  const url = new URL('https://site.example/')
  expect(await refusal(robots.admit(url, USER_AGENT, load))).toBe('robots')
  expect(await refusal(robots.admit(url, 'OtherBot/1.0', load))).toBeNull()
})

test('loads robots.txt once for concurrent requests, and again after an hour', async () => {
  const timer = handTimer()
  const { origin, rules, requestedPaths: asked } = await siteWith('')
  const fetchPage = openTestWeb({ timer })
  const robotsAsked = () => asked.filter((path) => path === '/robots.txt').length
  await Promise.all(['/a', '/b', '/c'].map((path) => fetchPage(origin + path, rules, unending())))
  await timer.pass(3_599_000)
  await fetchPage(`${origin}/d`, rules, unending())
  expect(robotsAsked()).toBe(1)
  await timer.pass(1_000)
  await fetchPage(`${origin}/e`, rules, unending())
  expect(robotsAsked()).toBe(2)
})

test('retries an unavailable robots.txt after a minute', async () => {
  const timer = handTimer()
  const code = { now: 503 }
  const {
    origin,
    rules,
    requestedPaths: asked,
  } = await siteWith((response) => response.writeHead(code.now).end())
  const fetchPage = openTestWeb({ timer })
  const fetching = () => refusal(fetchPage(`${origin}/page`, rules, unending()))
  expect(await fetching()).toBe('robots')
  code.now = 404
  expect(await fetching()).toBe('robots')
  expect(asked).toEqual(['/robots.txt'])
  await timer.pass(60_000)
  expect(await fetching()).toBeNull()
})

test('checks the robots.txt of the redirect target', async () => {
  const closed = await siteWith(`${everybody}Disallow: /`)
  const open = await site(
    (_, response) => void response.writeHead(302, { location: `${closed.origin}/page` }).end(),
  )
  const rules = { ...open.rules, allow: [...open.rules.allow, ...closed.rules.allow] }
  expect(await refusal(openTestWeb()(`${open.origin}/`, rules, unending()))).toBe('robots')
  expect(closed.requestedPaths).toEqual(['/robots.txt'])
})

test('an aborted page does not abort the robots.txt that others wait for', async () => {
  const held: ServerResponse[] = []
  const { origin, rules } = await siteWith((response) => held.push(response))
  const fetchPage = openTestWeb()
  const impatient = new AbortController()
  const first = refusal(fetchPage(`${origin}/a`, rules, impatient.signal))
  const second = refusal(fetchPage(`${origin}/b`, rules, unending()))
  await expect.poll(() => held.length).toBe(1)
  impatient.abort('enough')
  expect(await first).toBe('enough')
  held[0]?.writeHead(404).end()
  expect(await second).toBeNull()
})
