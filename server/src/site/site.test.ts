// The public pages: every page in every language, and figures that equal those of the API.
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { customer } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Currency } from '../kernel/money.ts'
import { LANGUAGE_CODES } from '../platform/texts/language.ts'
import { readAssets } from './facts/assets.ts'
import { figuresIn } from './facts/figures.ts'
import { RECORDED_TASK } from './facts/recorded-task.ts'
import { statusNotice } from './facts/settings.ts'
import { acceptedBy, COUNTRY_CODES, type Country, CURRENCY_OF } from './facts/visitor.ts'
import { formatAmount } from './pages/format.ts'
import { PROOFS } from './pages/home.ts'
import { SITE_PATHS } from './pages/layout.ts'
import { TEXTS } from './text/texts.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}) => server.call('GET', path, { headers })
const english = (country: Country) => ({ language: 'en', country }) as const
/** The texts without tags, as a reader sees them. */
const words = (page: string): string =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

describe.for(SITE_PATHS)('%s', (path) => {
  test.for(LANGUAGE_CODES)('is a whole page in %s', async (language) => {
    const { status, text, headers } = await get(`${path}?lang=${language}`)
    expect(status).toBe(200)
    expect(text).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(text.match(/<h1[ >]/g)).toHaveLength(1)
    expect(text).not.toMatch(/undefined|NaN|\[object|\$\{/)
    expect(words(text)).toContain(TEXTS[language].nav.privacy)
    for (const other of LANGUAGE_CODES) expect(text).toContain(`hreflang="${other}"`)
    expect(text).toContain('<link rel="canonical"')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[\w+/=]{44}'; /,
    )
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers.vary).toBe('accept-encoding, accept-language, cookie, save-data')
  })
})

describe('a page', () => {
  test('follows the choice in the address, then the cookie, then the browser, then Nigeria', async () => {
    const titled = async (path: string, headers: Record<string, string>) =>
      /<title>([^<]*)/.exec((await get(path, headers)).text)?.[1]
    expect(await titled('/terms', { 'accept-language': 'de, sw;q=0.8, fr;q=0.9' })).toContain('Conditions')
    expect(await titled('/terms', { 'accept-language': 'fr', cookie: 'site_language=sw' })).toContain(
      'Masharti',
    )
    expect(await titled('/terms?lang=ar', { cookie: 'site_language=sw' })).toContain('شروط')
    expect(await titled('/terms', { cookie: 'site_language=yy' })).toContain('Terms')
    expect((await get('/terms?lang=xx')).body).toMatchObject({ fields: [{ path: 'query.lang' }] })
    expect((await get('/terms?utm_source=x')).status).toBe(200)
    expect(acceptedBy('en-KE, en;q=0.9')).toEqual({ language: 'en', country: 'KE' })
    expect(acceptedBy('de-DE, ar-Arab-EG;q=0.5, fr;q=0')).toEqual({ language: 'ar', country: 'EG' })
    expect(acceptedBy(undefined)).toEqual({ language: undefined, country: undefined })
    expect((await get('/', { 'accept-language': 'en-GH' })).text).toContain('GH₵')
    expect((await get('/')).text).toContain('₦')
  })

  test('remembers a choice in a cookie that names no person', async () => {
    const { headers } = await get('/pricing?lang=sw&country=KE')
    expect(headers['set-cookie']).toEqual([
      'site_language=sw; Path=/; SameSite=Lax; Max-Age=31536000',
      'site_country=KE; Path=/; SameSite=Lax; Max-Age=31536000',
    ])
    expect((await get('/pricing')).headers['set-cookie']).toBeUndefined()
  })

  test('is not sent again to a browser that has it', async () => {
    const first = await get('/security')
    const again = await get('/security', { 'if-none-match': String(first.headers.etag) })
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const other = await get('/security?lang=fr', { 'if-none-match': String(first.headers.etag) })
    expect(other.status).toBe(200)
  })

  test('links only to pages that exist', async () => {
    const pages = await Promise.all(SITE_PATHS.map(async (path) => [path, (await get(path)).text] as const))
    const linked = new Set(
      pages.flatMap(([, page]) =>
        [...page.matchAll(/(?:href|src|action)="(\/[^"?#]*)/g)].map(([, to]) => to ?? ''),
      ),
    )
    expect(linked).toContain('/app/contact')
    const broken = await Promise.all(
      [...linked].map(async (to) => ((await get(to)).status < 400 ? [] : [to])),
    )
    expect(broken.flat()).toEqual([])
    const anchors = new Map(pages)
    for (const proof of PROOFS) {
      const [path = '', id = ''] = proof.split('#')
      const page = anchors.get(path as (typeof SITE_PATHS)[number]) ?? (await get(path)).text
      expect(page, proof).toContain(`id="${id}"`)
    }
  })

  test('is small on the wire: the first visit needs less than 25 kB', async () => {
    const br = { 'accept-encoding': 'br' }
    const { text } = await get('/')
    const { script, style, icon } = readAssets()
    const fonts = [...text.matchAll(/url\("([^"]+\.woff2)"\)/g)].map(([, path]) => path ?? '')
    const sizes = await Promise.all(
      ['/', script, style, icon, '/site-worker.js', ...fonts].map(async (path) => {
        const { headers, status } = await get(path, br)
        expect(status, path).toBe(200)
        return Number(headers['content-length'])
      }),
    )
    expect(fonts).toHaveLength(2)
    expect(sizes[0]).toBeLessThan(8_000)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(25_000)
    expect(text.match(/<script/g)).toHaveLength(1)
  })
})

describe('figures', () => {
  test.for(COUNTRY_CODES)('of %s equal those of the API', async (country) => {
    const currency: Currency = CURRENCY_OF[country]
    const person = await customer(server, currency)
    const shown = words((await get(`/pricing?country=${country}`)).text)
    const amountOf = (minor: number | bigint) => formatAmount(english(country), BigInt(minor), currency)
    const { body: models } = await server.call<{ data: { id: string; price: Record<string, number> }[] }>(
      'GET',
      '/v1/models',
      { as: person },
    )
    expect(models.data.length).toBeGreaterThan(0)
    for (const { price } of models.data)
      for (const minor of Object.values(price)) expect(shown).toContain(amountOf(minor))
    const { body: plans } = await server.call<{
      plans: { amountMinor: number; includedUsageMinor: number }[]
    }>('GET', '/public/plans', { query: { currency } })
    for (const { amountMinor, includedUsageMinor } of plans.plans) {
      expect(shown).toContain(amountOf(amountMinor))
      if (includedUsageMinor > 0) expect(shown).toContain(amountOf(includedUsageMinor))
    }
    const { body: channels } = await server.call<{
      channels: { label: string; minMinor: number; maxMinor: number }[]
    }>('GET', '/wallet/channels', { as: person })
    for (const { label, minMinor, maxMinor } of channels.channels) {
      expect(shown).toContain(label)
      expect(shown).toContain(amountOf(minMinor))
      expect(shown).toContain(amountOf(maxMinor))
    }
    const front = words((await get(`/?country=${country}`)).text)
    const { task } = figuresIn(server.app, currency)
    expect(front).toContain(amountOf(task.spentMinor))
    expect(front).toContain(amountOf(task.maxMinor))
  })

  test('of the recorded task are those that were charged, at the price of the recording', () => {
    const { task } = figuresIn(server.app, 'NGN')
    expect(task).toMatchObject({ maxMinor: RECORDED_TASK.maxKobo, spentMinor: RECORDED_TASK.spentKobo })
    const calls = RECORDED_TASK.events.flatMap((event) => (event.kind === 'cost' ? [event.costMinor] : []))
    expect(calls.reduce((sum, minor) => sum + minor)).toBe(RECORDED_TASK.spentKobo)
  })
})

/** The pages show nothing about the owner of a session, so they do not verify it. */
const SESSION = 'service_session=sealed'

describe('a signed-in person', () => {
  test('is led from / to the app, and reads the page when asking for it', async () => {
    const cookie = SESSION
    expect(await get('/', { cookie })).toMatchObject({
      status: 302,
      headers: { location: '/app', vary: 'cookie' },
    })
    for (const path of ['/?home=1', '/?country=KE', '/pricing']) {
      const { status, text } = await get(path, { cookie })
      expect(status, path).toBe(200)
      expect(text).toContain(TEXTS.en.nav.openApp)
      expect(text).not.toContain('/app/sign-in')
    }
  })

  test('keeps the prompt on the way to the sample task', async () => {
    const prompt = 'Fix it & test "this"?'
    const query = { prompt, country: 'KE' }
    const direct = await server.call('GET', '/try', { query, headers: { cookie: SESSION } })
    const task = new URL(String(direct.headers.location), 'http://x')
    expect([task.pathname, task.searchParams.get('prompt')]).toEqual(['/app/tasks/new', prompt])
    const { headers } = await server.call('GET', '/try', { query })
    const register = new URL(String(headers.location), 'http://x')
    expect([register.pathname, register.searchParams.get('country')]).toEqual(['/app/register', 'KE'])
    expect(register.searchParams.get('next')).toBe(`${task.pathname}${task.search}`)
    expect((await server.call('GET', '/try', { query: { prompt: 'x'.repeat(2_001) } })).status).toBe(400)
  })
})

describe('/status', () => {
  test('shows a notice of staff, and neither hosts nor addresses', async () => {
    const { app, clock } = server
    const { text, headers } = await get('/status')
    expect(headers['cache-control']).toBe('private, max-age=5')
    expect(words(text)).toContain('Everything works')
    expect(words(text)).not.toMatch(/127\.0\.0\.1|localhost|postgres|@/)
    const announce = (value: string) =>
      app.db.tx('platform', (tx) => app.settings.set(tx, statusNotice, value, { email: 'ops@example.com' }))
    await announce('M-Pesa is slow <today>.')
    expect((await get('/status')).text, 'the reading is shared for some seconds').toBe(text)
    const readLater = async () => {
      clock.advance({ seconds: 6 })
      return (await get('/status')).text
    }
    await expect.poll(readLater).toContain('M-Pesa is slow &#60;today&#62;.')
    await announce('')
  })
})

test('machines find the pages, the policy and the contact', async () => {
  const robots = await get('/robots.txt')
  expect(robots.text).toContain('Disallow: /app')
  const sitemap = await get('/sitemap.xml')
  expect(sitemap.headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(sitemap.text.match(/<loc>/g)).toHaveLength(SITE_PATHS.length * LANGUAGE_CODES.length + 1)
  const { text } = await get('/.well-known/security.txt')
  expect(text).toMatch(/^Contact: http\S+\/app\/contact\nExpires: \d{4}-\d\d-\d\dT00:00:00\.000Z\n/)
  const { headers } = await get(readAssets().preview)
  expect(headers['content-type']).toBe('image/png')
})
