// Chat in a real browser: an answer that streams, stops, breaks and is recovered, and its cost.

import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT } from '../browser.ts'
import { signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, isNotOffline, minorOf, PHONE, SMALL_PHONE } from './journey.ts'

let upstream: FakeUpstream
const app = startApp(async () => {
  upstream = await startFakeUpstream()
  return startAtLocalhost({
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
  })
})
beforeEach(() => upstream.reset())
afterAll(() => upstream.close())

/** About 12 kB, like a model answer: text, lists, code, a table. */
const LONG = Array.from(
  { length: 24 },
  (_, n) =>
    `## Part ${n}\n\nHolds are **released** when a turn ends, so the balance of \`wallet ${n}\` is right again. ${'More words follow here. '.repeat(8)}\n\n- one\n- two\n\n\`\`\`ts\nconst held = await holds(${n}) // a comment\n\`\`\`\n\n| a | b |\n|---|--:|\n| ${n} | 2 |\n\n`,
)
const HOSTILE = [
  'مرحبا بالعالم، هذا جواب بالعربية.\n\n```js\nconst wide = await something(that, is, much, wider, than, the, smallest, phone) // 1\n```\n\n',
  '<img src=x onerror="document.title=\'owned\'">\n\n',
  '| a | b |\n|---|---|\n| anextraordinarilylongwordinacell | anotherextraordinarilylongword |\n\n',
  '[press](javascript:alert(1)) and [safe](https://example.com/a)\n\n### Third level first\n',
]

describe('an answer', () => {
  test('streams without layout shift, can be scrolled away from, stopped and read again', async () => {
    const [first, rest] = [gate(), gate()]
    upstream.script({ pieces: [first.opened, ...LONG, rest.opened, 'Never shown.'] })
    const { page, faults } = await enter('stream@example.com', 100_000n)
    await page.goto('/app/chat')
    await page.getByRole('button', { name: 'Write a SQL query' }).click()
    await page.evaluate(MEASURE_KEYS)
    await page.getByLabel('Your message').fill('')
    await page.keyboard.type('usual speed')
    const usualMs = await page.evaluate<number>('median(window.keys)')
    await page.getByLabel('Your message').fill('Why can the balance differ?')
    await expect.poll(() => page.getByTestId('quote-max').count(), PATIENT).toBe(1)
    const most = await minorOf(page, 'quote-max')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Waiting for the answer').waitFor()
    await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('')
    await page.evaluate(MEASURE)

    first.open()
    await page.getByText('so the balance of wallet 23').waitFor()
    // The view follows the end, unless the user scrolls up.
    await expect.poll(() => distance(page), PATIENT).toBeLessThan(2)
    await page.mouse.move(800, 300)
    await page.mouse.wheel(0, -2_000)
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor()
    const stayed = await page.evaluate<number>(AT_REST)
    await page.getByLabel('Your message').focus()
    await page.keyboard.type('next question')
    expect(await page.evaluate<number>('scrollY')).toBe(stayed)
    // Typing is about as fast beside a long answer as in the empty chat.
    expect(await page.evaluate<number>('median(window.keys)')).toBeLessThan(8 * Math.max(usualMs, FRAME_MS))
    expect(await page.evaluate<number>('window.shifted - window.shiftedBefore')).toBe(0)
    await page.getByRole('button', { name: 'Jump to newest' }).click()
    await expect.poll(() => distance(page), PATIENT).toBeLessThan(2)

    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByTestId('phase').count(), PATIENT).toBe(0)
    await page.getByText('Stopped', { exact: true }).waitFor()
    rest.open()
    const cost = await minorOf(page, 'answer-cost')
    expect(cost).toBeGreaterThan(0n)
    expect(cost).toBeLessThanOrEqual(most)
    await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(100_000n - cost)
    await expect.poll(() => minorOf(page, 'thread-total')).toBe(cost)
    expect((await page.getByRole('status').first().textContent()) ?? '').toMatch(
      /^Answer stopped, [\d,]+ words, ₦/,
    )

    const text = await answerText(page)
    await page.reload()
    await expect.poll(() => answerText(page), PATIENT).toBe(text)
    expect(text).not.toContain('Never shown')
    await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('next question')
    await page.getByRole('button', { name: 'Ask again' }).click()
    await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('Why can the balance differ?')
    await isFine(page)
    expect(faults).toEqual([])
  })

  soakTest('of any kind is inert text with its own direction', async () => {
    upstream.script({ pieces: HOSTILE })
    const { page, faults } = await enter('hostile@example.com', 100_000n, SMALL_PHONE)
    await ask(page, 'سؤال')
    const answer = page.locator('.reply').last()
    await answer.getByTestId('answer-cost').waitFor()
    await answer.getByText('<img src=x onerror=').waitFor()
    await answer.getByText('[press](javascript:alert(1))').waitFor()
    expect(await answer.locator('img').count()).toBe(0)
    const link = answer.getByRole('link')
    await expect.poll(() => link.count()).toBe(1)
    await expect.poll(() => link.getAttribute('href')).toBe('https://example.com/a')
    await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(await page.title()).not.toBe('owned')
    await expect.poll(() => answer.getByRole('heading', { level: 3 }).textContent()).toBe('Third level first')
    const directions = `['p', 'pre'].map((name) => getComputedStyle(document.querySelector('.reply ' + name)).direction)`
    expect(await page.evaluate(directions)).toEqual(['rtl', 'ltr'])
    await isFine(page)
    expect(faults).toEqual([])
  })

  test('that was cut off by a broken network is looked up, not requested again', async () => {
    const held = gate()
    upstream.script({ pieces: ['Once upon a time', held.opened, ' there was a ledger.'] })
    const { page, faults } = await enter('cut@example.com', 100_000n, PHONE)
    await ask(page, 'Tell me a story')
    await page.getByText('Once upon a time').waitFor()
    await page.context().setOffline(true)
    await page.getByText('Checking the answer').waitFor()
    held.open()
    await page.context().setOffline(false)
    await page.getByText('Once upon a time there was a ledger.').waitFor()
    expect(upstream.requests).toHaveLength(1)
    await expect
      .poll(() => minorOf(page, 'meter'), PATIENT)
      .toBe(100_000n - (await minorOf(page, 'answer-cost')))
    expect(faults.filter(isNotOffline)).toEqual([])
  })

  soakTest('that failed costs nothing and can be requested again manually', async () => {
    const held = gate()
    upstream.script({ pieces: ['Half of ', held.opened, 'it.'], cutAfter: 2 })
    const { page } = await enter('failed@example.com', 100_000n, PHONE)
    const told = await ask(page, 'Say all of it')
    await page.getByText('Half of').waitFor()
    held.open()
    await page.getByText('This answer failed on our side. You paid nothing.').waitFor()
    await expect.poll(() => minorOf(page, 'meter'), PATIENT).toBe(100_000n)
    upstream.script('All of it.')
    await page.getByRole('button', { name: `Try again · up to ${told}` }).click()
    await page.getByText('All of it.').waitFor()
    // It replaced the failed one.
    await expect.poll(() => page.locator('.asked').count()).toBe(1)
  })
})

describe('conversations', () => {
  test('are not sent before their price is shown, and without money show the missing amount and keep the draft', async () => {
    const { page, faults } = await enter('poor@example.com', 0n, SMALL_PHONE)
    const sent: { maxMinor?: number; prompt?: string }[] = []
    page.on('request', (request) => {
      if (/\/messages$/.test(request.url())) sent.push(request.postDataJSON() as (typeof sent)[number])
    })
    const held = gate()
    let answers: 'as they are' | 'late' | 'failed' = 'as they are'
    await page.route('**/chat/threads/*/quote', async (route) => {
      if (answers === 'failed')
        return route.fulfill({ status: 500, json: { error: 'Something failed.', code: 'internal' } })
      if (answers === 'late') await held.opened
      await route.continue()
    })
    await page.goto('/app/chat')
    const message = page.getByLabel('Your message')
    const send = page.getByRole('button', { name: 'Send' })
    await message.fill('Explain a hold')
    await page.getByTestId('quote-max').waitFor()

    // There is no price for the longer text yet: neither key nor button sends it.
    answers = 'late'
    await message.fill('Explain a hold, and when it is released. ')
    await page.keyboard.press('Control+Enter')
    await page.locator('#price').getByText('Calculating the price …').waitFor()
    await expect.poll(() => page.getByTestId('quote-max').count()).toBe(0)
    await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true')
    await send.click({ force: true })
    held.open()
    await page.locator('#price', { hasText: /^At most ₦[\d.,]+\. Press Send again\.$/ }).waitFor()
    await expect.poll(() => page.getByRole('status').first().textContent()).toMatch(/Press Send again\.$/)
    await isFine(page)
    expect(sent).toEqual([])

    // A missing price is reported, with a retry.
    answers = 'failed'
    await page.getByLabel('Model').selectOption('frontier')
    await page.getByText('Not sent: the price could not be loaded.').waitFor()
    const refused = page.waitForResponse('**/quote')
    await message.press('Control+Enter')
    await refused
    await isFine(page)
    answers = 'as they are'
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/^No frontier model available. Open model: about/).waitFor()
    await page.getByLabel('Model').selectOption('open')
    await page.getByText(/^About/).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(sent).toEqual([])

    const told = await minorOf(page, 'quote-max')
    await send.click()
    await expect.poll(() => sent, PATIENT).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      prompt: 'Explain a hold, and when it is released.',
      maxMinor: Number(told),
    })
    await page.getByRole('link', { name: /^Top up ₦[\d.,]+ or more$/ }).waitFor()
    await expect.poll(() => message.inputValue()).toBe('Explain a hold, and when it is released. ')
    expect(await page.locator('.asked').count()).toBe(0)
    await isFine(page)
    expect(faults.filter((fault) => !/402|500/.test(fault))).toEqual([])
  })

  soakTest('can be read offline later', async () => {
    upstream.script('Kept for later.')
    const { page } = await enter('told@example.com', 100_000n, PHONE)
    await ask(page, 'Explain a hold')
    await page.getByText('Kept for later.').waitFor()
    await page.getByTestId('answer-cost').waitFor()
    await expect.poll(() => page.evaluate<string>(KEPT), PATIENT).toContain('Kept for later.')
    await page.goto('/app/settings')
    await page.getByLabel('Show the cost of each answer').uncheck()
    await page.goto('/app/chat')
    await page.getByRole('link', { name: /Explain a hold/ }).waitFor()

    await page.context().setOffline(true)
    await page.getByRole('link', { name: /Explain a hold/ }).click()
    await page.getByText('Kept for later.').waitFor()
    await page.getByText(/^As of /).waitFor()
    expect(await page.getByTestId('answer-cost').count()).toBe(0)

    // The network is back, but the first requests fail: the page retries until it has a current answer.
    let failures = 0
    await page.route('**/chat/threads/*?limit=*', (route) =>
      ++failures <= 4 ? route.abort() : route.continue(),
    )
    await page.context().setOffline(false)
    await expect.poll(() => page.getByText(/^As of /).count(), PATIENT).toBe(0)
  })

  soakTest('are renamed, found, archived and deleted', async () => {
    upstream.script('First answer.', 'Second answer.')
    const { page, faults } = await enter('many@example.com', 100_000n, DESKTOP)
    await ask(page, 'About ledgers')
    await page.getByText('First answer.').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Ledger talk')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ledger talk' }).waitFor()
    await ask(page, 'About weather')
    await page.getByText('Second answer.').waitFor()
    const list = page.locator('.shelf')
    await expect.poll(() => list.getByRole('listitem').count(), PATIENT).toBe(2)
    await list.getByRole('link', { name: 'Ledger talk' }).click()
    await page.getByText('First answer.').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await expect.poll(() => list.getByRole('link', { name: 'Ledger talk' }).count(), PATIENT).toBe(0)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete chat' }).click()
    await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor()
    await isFine(page)
    await page.getByRole('button', { name: 'Show archive' }).click()
    await page.getByText('The archive is empty.').waitFor()
    expect(faults).toEqual([])
  })
})

const FRAME_MS = 16

/** The key latency so far. */
const MEASURE_KEYS = `
  window.keys = []
  window.median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
  new PerformanceObserver((list) => window.keys.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: 'event', durationThreshold: ${FRAME_MS} })`

/** The key latency and the layout shift from now on. */
const MEASURE = `
  window.keys = []
  window.shiftedBefore = window.shifted`

/** The scroll position once scrolling has stopped. */
const AT_REST = `new Promise((done) => {
  const look = (last) => (scrollY === last ? done(last) : requestAnimationFrame(() => look(scrollY)))
  requestAnimationFrame(() => requestAnimationFrame(() => look(-1)))
})`

/** Everything that the browser stores, as text. */
const KEPT = `new Promise((resolve) => {
  const opening = indexedDB.open('cowrie')
  opening.onsuccess = () => {
    const rows = opening.result.transaction('kept').objectStore('kept').getAll()
    rows.onsuccess = () => {
      opening.result.close()
      resolve(JSON.stringify(rows.result, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    }
  }
})`

const distance = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollHeight - innerHeight - scrollY')

const answerText = async (page: Page): Promise<string> =>
  (await page.locator('.reply .markdown').last().textContent()) ?? ''

async function enter(email: string, balanceMinor: bigint, options = DESKTOP) {
  const opened = await app.open(options)
  const { orgId } = await signInAs(opened.page, email)
  if (balanceMinor > 0n) await giveCredit(app.server, orgId, balanceMinor)
  return opened
}

/** Sends the prompt in a new conversation. Returns the shown price. */
async function ask(page: Page, prompt: string): Promise<string> {
  await page.goto('/app/chat/new')
  await page.getByLabel('Your message').fill(prompt)
  const told = (await page.getByTestId('quote-max').textContent()) ?? ''
  await page.getByRole('button', { name: 'Send' }).click()
  return told
}
