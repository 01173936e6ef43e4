// The main path of each area by keyboard alone, and the same screens in Arabic, dark, with text of double size on a phone.
import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { axeFaults } from '../axe.ts'
import { overflowOf, PATIENT, tabTo } from '../browser.ts'
import { signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, PHONE } from './journey.ts'

let upstream: FakeUpstream
const app = startApp(async () => {
  upstream = await startFakeUpstream()
  return startAtLocalhost({
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
  })
})
afterAll(() => upstream?.close())

test('the keyboard alone leads to a task, a chat, a top-up, a key and an invitation', async () => {
  upstream.fallback(() => 'Forty-two.')
  const { page, faults } = await app.open(DESKTOP)
  const { orgId } = await signInAs(page, 'keys@hand.example.com')
  await giveCredit(app.server, orgId, 1_000_000n)
  await page.goto('/app')
  await page.getByTestId('meter').waitFor()

  await find(page, 'New task')
  await page.waitForURL('**/app/tasks/new')
  await tabTo(page, isOn('radio', 'files'))
  // Arrow keys move within a group.
  for (let press = 0; press < 4 && !(await page.evaluate(isOn('radio', 'sample'))); press++)
    await page.keyboard.press('ArrowDown')
  await tabTo(page, isOn('button', 'Start'))
  await page.getByRole('button', { name: /^Start · at most ₦/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/app/tasks/tsk_*')
  await app.server.app.jobs.drain()
  await isFine(page)

  await find(page, 'New chat')
  await page.waitForURL('**/app/chat/new')
  await tabTo(page, isOn('textarea', 'Your message'))
  await page.keyboard.type('What is six times seven?')
  await page.getByTestId('quote-max').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Forty-two.').first().waitFor()
  await page.getByTestId('answer-cost').waitFor()
  await tabTo(page, isOn('button', 'New chat', 'a'))
  await isFine(page)

  await find(page, 'Top up')
  await page.waitForURL('**/app/wallet/top-up')
  await expect.poll(() => page.evaluate<string>('document.activeElement.id'), PATIENT).toBe('amount')
  await page.keyboard.type('2000')
  await tabTo(page, isOn('button', 'Pay'))
  await page.keyboard.press('Enter')
  await page.getByTestId('ussd-code').waitFor()
  await isFine(page)

  await find(page, 'Create an API key')
  await page.waitForURL('**/app/keys')
  await page.getByLabel('Name').waitFor()
  await tabTo(page, isOn('input', 'Name'))
  await page.keyboard.type('Build server')
  await tabTo(page, isOn('button', 'Create key'))
  await page.keyboard.press('Enter')
  await page.getByLabel('I saved it').waitFor()
  await tabTo(page, isOn('input', 'I saved it'))
  await page.keyboard.press('Space')
  await tabTo(page, isOn('button', 'Done'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Revoke Build server' }).waitFor()
  await isFine(page)

  await find(page, 'Team')
  await page.getByLabel('Team name').waitFor()
  await tabTo(page, isOn('input', 'Team name'))
  await page.keyboard.type('Weavers')
  await page.keyboard.press('Enter')
  await page.getByText('1 of 5 seats taken').waitFor()
  await find(page, 'Invite a member')
  await page.getByLabel('Email').waitFor()
  await tabTo(page, isOn('input', 'Email'))
  await page.keyboard.type('friend@hand.example.com')
  await page.keyboard.press('Enter')
  await page.getByText('Invitation sent to friend@hand.example.com.').first().waitFor()
  await isFine(page)
  expect(faults).toEqual([])
})

test('in Arabic, dark and with text of double size, no screen of a phone is cut off or too wide', async () => {
  upstream.fallback(() => 'A short answer with `code`.\n\n```js\nconst answer = 42\n```\n')
  const { page, faults } = await app.open({ ...PHONE, colorScheme: 'dark', locale: 'ar' })
  await page.addInitScript(`
    localStorage.setItem('cowrie.language', 'ar')
    document.addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%' })`)
  const { orgId } = await signInAs(page, 'arabic@hand.example.com')
  await giveCredit(app.server, orgId, 1_000_000n)
  const thread = await post<{ id: string }>(page, '/chat/threads', { title: 'سؤال عن الدفتر' })
  await page.request.post(`/chat/threads/${thread.id}/messages`, {
    data: { prompt: 'لماذا يختلف الرصيد؟' },
    headers: { origin: app.origin },
  })
  const task = await post<{ id: string }>(page, '/tasks', {
    workspace: { kind: 'files', files: [{ path: 'src/kobo.js', content: 'export const kobo = 1\n' }] },
  })
  const found: string[] = []
  for (const path of [...SCREENS, `/app/chat/${thread.id}`, `/app/tasks/${task.id}`]) {
    await page.goto(path)
    await page.locator('#screen-title').waitFor()
    await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
    expect(await page.evaluate<string>('document.documentElement.dir')).toBe('rtl')
    if ((await overflowOf(page)) > 0) found.push(`${path} is too wide`)
    for (const text of await page.evaluate<string[]>(CUT_OFF)) found.push(`${path} cuts off: ${text}`)
    for (const fault of await axeFaults(page)) found.push(`${path}: ${fault}`)
  }
  expect(found).toEqual([])
  // The check finds what it looks for.
  await page.evaluate(
    `Object.assign(document.querySelector('#screen-title').style, { overflow: 'hidden', textOverflow: 'clip', maxInlineSize: '40px', whiteSpace: 'nowrap' })`,
  )
  expect(await page.evaluate<string[]>(CUT_OFF)).not.toEqual([])
  expect(faults).toEqual([])
})

const SCREENS = [
  '/app',
  '/app/more',
  '/app/tasks',
  '/app/tasks/new',
  '/app/chat',
  '/app/chat/new',
  '/app/wallet',
  '/app/wallet/top-up',
  '/app/keys',
  '/app/team',
  '/app/usage',
  '/app/settings',
  '/app/review',
  '/app/review/scan',
  '/app/research',
  '/app/index',
]

/** Opens a screen or starts an action through the palette. */
async function find(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  await page.keyboard.type(name)
  await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor({ state: 'detached' })
}

/** Whether the focus is on such an element. `name` is the beginning of its label, or the value of a radio button. */
const isOn = (kind: 'radio' | 'button' | 'input' | 'textarea', name: string, tag: string = kind): string =>
  `((at) => {
    if (${JSON.stringify(kind)} === 'radio') return at.type === 'radio' && at.value === ${JSON.stringify(name)}
    const label = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent
    return at.localName === ${JSON.stringify(tag)} && label.trim().startsWith(${JSON.stringify(name)})
  })(document.activeElement)`

/** Texts that their own box hides. An ellipsis is announced by its dots. */
const CUT_OFF = `(() => {
  const outside = (element) => {
    const { left, right, width } = element.getBoundingClientRect()
    if (width === 0 || element.closest('pre, figure, .tabs, [tabindex="0"]')) return false
    return left < -1 || right > document.documentElement.clientWidth + 1
  }
  return [...document.querySelectorAll('body *')]
  .filter((element) => element.checkVisibility() && !element.closest('.unseen, .skip, svg, option, [aria-hidden="true"]'))
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .filter((element) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element)
    const isWide = element.scrollWidth > element.clientWidth + 1 && ['hidden', 'clip'].includes(overflowX)
    const isTall = element.scrollHeight > element.clientHeight + 2 && ['hidden', 'clip'].includes(overflowY)
    return (isWide && textOverflow !== 'ellipsis') || (isTall && textOverflow !== 'ellipsis') || outside(element)
  })
  .map((element) => element.textContent.trim().slice(0, 60))
})()`

async function post<T>(page: Page, path: string, data: object): Promise<T> {
  const answer = await page.request.post(path, { data, headers: { origin: app.origin } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as T
}
