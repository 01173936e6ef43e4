// The API reference in a real browser, against the whole service.

import { startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { gates, PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startApp } from '../../../../../../web/test/app.ts'
import { overflowOf } from '../../../../../../web/test/browser.ts'

const app = startApp(async () => {
  const server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
  return { server, origin: await server.listen() }
})

const entry = (name: string) => `article[id="${name}"]`
// Limited to its form: matching the labels of the whole page takes a second.
const token = (page: Page) => page.locator('form.token').getByLabel('API key or token')

describe('the page', () => {
  test('works without scripts: it contains every operation of its area', async () => {
    const { body: document } = await app.server.call<{
      paths: Record<
        string,
        Record<string, { operationId: string; summary: string; tags: string[]; 'x-access': string }>
      >
    }>('GET', '/openapi.json')
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(operations.length).toBeGreaterThan(10)

    const { page, faults } = await app.open({ javaScriptEnabled: false })
    await page.goto('/docs/api/probe')
    const shown = await page.evaluate<[string, string][]>(
      `[...document.querySelectorAll('article.operation h2')].map((title) => [title.closest('article').id, title.textContent])`,
    )
    const expected = operations
      .filter(({ tags, 'x-access': access }) => tags.includes('probe') && !access.startsWith('staff'))
      .map(({ operationId, summary }) => [operationId, summary])
    expect(shown.toSorted()).toEqual(expected.toSorted())

    // The choice of the sample language and the search need no script either.
    const sample = page.locator(entry('probe.money')).locator('.samples pre:visible')
    expect(await sample.textContent()).toContain('curl')
    await page.locator('.sample-choice label', { hasText: 'Python' }).click()
    expect(await sample.textContent()).toContain('import json, os, urllib.request')
    await page.getByRole('searchbox').fill('alive process')
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByRole('link', { name: 'Say that the process is alive.' }).click()
    await page.waitForURL('**/docs/api/system#system.health')
    expect(faults).toEqual([])
  })

  test('allows only scripts and styles of this origin', async () => {
    const { headers } = await app.server.call('GET', '/docs')
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self';",
    )
    expect(headers['content-security-policy']).not.toContain('unsafe')
  })

  test('links to its assets by content hash, so that a browser caches them', async () => {
    const { text } = await app.server.call('GET', '/docs')
    const assets = new Set(
      [...text.matchAll(/(?:src|href)="(\/docs\/[^"#]+\.\w+)"/g)].map((match) => match[1] ?? ''),
    )
    expect(assets.size).toBe(3)
    for (const asset of assets)
      expect((await app.server.call('GET', asset)).headers['cache-control']).toBe(
        'public, max-age=31536000, immutable',
      )
  })

  test('is in the language of the address, which is remembered, or of the browser', async () => {
    const chosen = await app.server.call('GET', '/docs?lang=ar')
    expect(chosen.text).toContain('<html lang="ar" dir="rtl">')
    expect(String(chosen.headers['set-cookie'])).toContain('site_language=ar')
    const headers = { cookie: 'site_language=sw', 'accept-language': 'fr' }
    expect((await app.server.call('GET', '/docs', { headers })).text).toContain('<html lang="sw"')
    const asked = await app.server.call('GET', '/docs', { headers: { 'accept-language': 'de, fr;q=0.8' } })
    expect(asked.text).toContain('<html lang="fr"')
  })

  test('refuses other paths', async () => {
    expect((await app.server.call('GET', '/docs/nothing')).status).toBe(404)
    expect((await app.server.call('POST', '/docs')).status).toBe(405)
    expect((await app.server.call('GET', '/docs/../package.json')).status).toBe(404)
  })

  soakTest.for([320, 1280])('fits a window of %i pixels, also with an open form', async (width) => {
    const { page } = await app.open({ viewport: { width, height: 800 } })
    await page.goto('/docs/api/probe')
    await page
      .locator(entry('probe.spend'))
      .getByRole('button', { name: 'Try it: POST /probe/spend' })
      .click()
    expect(await overflowOf(page)).toBe(0)
  })
})

soakTest(
  'operations can be searched, tried with a token, streamed, and paid for only after confirmation, also at 320 pixels',
  async () => {
    const person = await app.server.person({ email: 'ada@example.com' })
    const { page, faults } = await app.open({ viewport: { width: 320, height: 800 } })
    await page.goto('/docs')

    // The search finds by words over all pages. Enter opens the first.
    await page.keyboard.press('/')
    await page.keyboard.type('alive process')
    await page.locator('.found').getByText('Say that the process is alive.').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/system#system.health')

    // A request is sent and its response shown.
    const health = page.locator(entry('system.health'))
    await health.getByText('Say that the process is alive.').waitFor()
    await health.getByRole('button', { name: 'Try it: GET /health' }).click()
    await health.getByRole('button', { name: 'Send' }).click()
    await health.getByText('200 OK after').waitFor()
    await expect.poll(() => health.locator('.answer-body').textContent()).toBe('{\n  "ok": true\n}')

    // The token is sent with the request and stored nowhere.
    const areaOf = async (tag: string) => {
      await page.goto(`/docs/api/${tag}`)
      await token(page).fill(person.bearer)
    }
    await areaOf('account')
    await token(page).fill(person.bearer)
    const me = page.locator(entry('me.get'))
    await me.getByRole('button', { name: 'Try it: GET /me' }).click()
    await me.getByRole('button', { name: 'Send' }).click()
    await me.locator('.answer-body').getByText('ada@example.com').waitFor()
    await expect.poll(() => me.locator('.samples').textContent()).not.toContain(person.bearer)
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([
      0,
      0,
      '',
    ])

    await areaOf('probe')
    // Path, query and body are filled in, and money is shown exactly.
    const list = page.locator(entry('probe.list'))
    await list.getByRole('button', { name: /^Try / }).click()
    await list.getByLabel('itemId (path)').fill('a/b c')
    await list.getByLabel('limit (query, optional)').fill('7')
    // The samples beside the form follow it.
    await expect.poll(() => list.locator('.samples pre:visible').textContent()).toContain('limit=7')
    await list.getByRole('button', { name: 'Send' }).click()
    await list.locator('.answer-body').getByText('"a/b c"').waitFor()
    expect(JSON.parse((await list.locator('.answer-body').textContent()) ?? '')).toEqual({
      limit: 7,
      itemId: 'a/b c',
    })
    const money = page.locator(entry('probe.money'))
    await money.getByRole('button', { name: /^Try / }).click()
    await money.getByLabel('Body').fill('{"amountMinor": 9223372036854775807}')
    await money.getByRole('button', { name: 'Send' }).click()
    await money.locator('.answer-body').getByText('9223372036854775807').waitFor()

    // A paid call needs confirmation, and a second click repeats the same intent.
    const spend = page.locator(entry('probe.spend'))
    await spend.getByRole('button', { name: 'Try it: POST /probe/spend' }).click()
    expect(await overflowOf(page)).toBe(0)
    await spend.getByLabel('Body').fill('{"amountMinor": 5}')
    const send = spend.getByRole('button', { name: 'Send' })
    await send.click()
    await expect.poll(() => spend.getByRole('status').textContent()).toBe('')
    await spend.getByLabel('This request costs money').check()
    const replayed: (string | undefined)[] = []
    for (let press = 0; press < 2; press++) {
      const answered = page.waitForResponse('**/probe/spend')
      await send.click()
      replayed.push((await answered).headers()['idempotency-replayed'])
      await spend.getByText('200 OK after').waitFor()
      await spend.locator('button[type=submit]:not([aria-disabled])').waitFor()
    }
    expect(replayed).toEqual([undefined, 'true'])

    // A stream is shown while it arrives, and stops on request.
    const door = Promise.withResolvers<void>()
    gates.set('reader', door.promise)
    const stream = page.locator(entry('probe.stream'))
    await stream.getByRole('button', { name: /^Try / }).click()
    await stream.getByLabel('Body').fill('{"frames": 3, "size": 4, "wait": "reader"}')
    await stream.getByLabel('This request costs money').check()
    await stream.getByRole('button', { name: 'Send' }).click()
    await stream
      .locator('.answer-body')
      .getByText(/(data: \{"delta":"xxxx"\}\s*){3}/)
      .waitFor()
    await stream.getByRole('button', { name: 'Stop' }).click()
    await stream.getByText(/^Stopped after/).waitFor()
    door.resolve()

    await page.reload()
    await expect.poll(() => token(page).inputValue()).toBe('')
    expect(faults).toEqual([])
  },
)

soakTest('an endless response is truncated for display', async () => {
  const { bearer } = await app.server.person()
  const { page, faults } = await app.open()
  await page.goto('/docs/api/probe')
  await token(page).fill(bearer)
  const stream = page.locator(entry('probe.stream'))
  await stream.getByRole('button', { name: /^Try / }).click()
  // The service waits for this reader. A reader that is too slow would be disconnected.
  await stream.getByLabel('Body').fill('{"frames": 100000, "size": 8192}')
  await stream.getByLabel('This request costs money').check()
  await stream.getByRole('button', { name: 'Send' }).click()
  await stream.getByText('only the first 200000 characters are shown').waitFor()
  expect((await stream.locator('.answer-body').textContent())?.length).toBe(200_000)
  expect(faults).toEqual([])
})
