// Account security: two-step sign-in by keyboard, keys and sessions on a phone.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT, pressOn, shiftOf, tabTo } from '../browser.ts'
import { codeOf, enterAt, enterForDevelopment, openAccount, PASSWORD } from '../people.ts'
import { DESKTOP, isFine, PHONE } from './journey.ts'

const run = promisify(execFile)
const app = startApp()

test('two-step sign-in is set up, required, replaced by a recovery code once, and turned off with a code, all by keyboard', async () => {
  const email = await openAccount(app.server, 'amina@security.example.com')
  const { page, faults } = await app.open(DESKTOP)
  await page.goto('/app/settings')
  await signIn(page, email)
  await pressOn(page.getByRole('link', { name: /Password, two-step/ }))
  await pressOn(page.getByRole('button', { name: 'Set up an authenticator app' }))
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  expect(await page.evaluate<number>('document.querySelector("img.qr").naturalWidth')).toBeGreaterThan(0)
  await isFine(page)
  const secret = await textOf(page.getByTestId('copyable'))
  expect(secret).toMatch(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await pressOn(page.getByRole('button', { name: 'Copy the secret' }))
  await expect.poll(() => page.getByRole('status').textContent(), PATIENT).toBe('Copied.')
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret.replaceAll(' ', ''))
  const code = () => codeOf(app.server, secret)

  await type(page, 'code', '000000')
  await page.getByText('This code is wrong').waitFor()
  await expect.poll(() => focused(page), PATIENT).toBe('code')
  await type(page, 'code', code())
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  const codes = (await textOf(page.getByTestId('copyable'))).split(/\s+/)
  expect(codes).toHaveLength(10)
  const onward = page.getByRole('button', { name: 'Continue' })
  await expect.poll(() => onward.isDisabled()).toBe(true)
  await pressOn(page.getByLabel('I saved them'), ' ')
  await pressOn(onward)
  await page.getByRole('button', { name: 'Turn off' }).waitFor()

  await signOutByKeys(page)
  await signIn(page, email)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  const field = page.getByLabel('Code')
  await expect.poll(() => field.getAttribute('inputmode')).toBe('numeric')
  await expect.poll(() => field.getAttribute('autocomplete')).toBe('one-time-code')
  await isFine(page)
  await type(page, 'code', code())
  await page.getByTestId('meter').waitFor()

  // The code that was used to sign in is spent.
  await signOutByKeys(page)
  await signIn(page, email)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await type(page, 'code', code())
  await page.getByText('This code is wrong').waitFor()
  const lost = page.getByRole('button', { name: 'Use a recovery code' })
  await pressOn(lost)
  await page.getByLabel('Recovery code').waitFor()
  await type(page, 'code', codes[0] ?? '')
  await page.getByTestId('meter').waitFor()

  // So is a recovery code; challenge.test.ts checks it in `npm test`.
  if (isSoak) {
    await signOutByKeys(page)
    await signIn(page, email)
    await pressOn(lost)
    await page.getByLabel('Recovery code').waitFor()
    await type(page, 'code', codes[0] ?? '')
    await page.getByText('This code is wrong').waitFor()
    await type(page, 'code', codes[1] ?? '')
    await page.getByTestId('meter').waitFor()
  }

  await pressOn(page.getByRole('button', { name: 'Your account' }))
  await pressOn(page.getByRole('link', { name: 'Security' }).first())
  await pressOn(page.getByRole('button', { name: 'Turn off' }))
  await page.getByLabel('Code').waitFor()
  app.server.clock.advance({ seconds: 30 })
  await type(page, 'code', code())
  await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
  expect(faults.filter(isNotRefusal)).toEqual([])
})

soakTest(
  'a key is created with scopes, shown once, works with curl, and is revoked after a confirmation',
  async () => {
    const { page, faults } = await app.open({ ...PHONE, acceptDownloads: true })
    await enterAt(page, '/app/keys', 'tunde@security.example.com')
    await page.getByText('No keys yet').waitFor()
    await isFine(page)
    await page.getByRole('button', { name: 'New key' }).tap()
    await page.getByLabel('Name').fill('Build server')
    await page.getByLabel(/Read the balance/).check()
    await page.getByLabel('Expires').selectOption('90')
    await page.getByRole('button', { name: 'Create key' }).tap()
    const once = page.getByRole('region', { name: 'Save this key now' })
    const key = await textOf(once.getByTestId('copyable'))
    expect(key).toMatch(/^csk_/)
    await isFine(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      once.getByRole('button', { name: 'Download .env' }).tap(),
    ])
    expect(readFileSync(await file.path(), 'utf8')).toBe(`COWRIE_API_KEY=${key}\nCOWRIE_URL=${app.origin}\n`)
    const done = once.getByRole('button', { name: 'Done' })
    await expect.poll(() => done.isDisabled()).toBe(true)
    await once.getByLabel('I saved it').check()
    await done.tap()
    await expect.poll(() => page.content(), PATIENT).not.toContain(key)

    const use = page.getByRole('region', { name: 'How to use a key' })
    const command = await textOf(use.getByTestId('copyable'))
    const { stdout } = await run('sh', ['-c', command], { env: { ...process.env, COWRIE_API_KEY: key } })
    expect(JSON.parse(stdout)).toMatchObject({ object: 'list' })
    await use.getByRole('tab', { name: 'curl' }).press('ArrowRight')
    await use.getByText(`base_url="${app.origin}/v1"`).waitFor()
    await use.getByRole('tab', { name: 'Cowrie CLI' }).tap()
    await use.getByText('cowrie auth status').waitFor()

    // The last use is stored after the answer was sent.
    const isUsed = async () =>
      (
        await app.server.sql.rows`
        select 1 from api_keys k join users u on u.id = k.user_id
        where u.email = 'tunde@security.example.com' and k.last_used_at is not null`
      ).length
    await expect.poll(isUsed).toBe(1)
    await page.reload()
    const keys = page.getByRole('region', { name: 'Active keys' })
    await keys.getByText(`${key.slice(0, 8)}`).waitFor()
    expect(await page.content()).not.toContain(key)
    await expect
      .poll(() => keys.getByRole('list', { name: 'Permissions' }).getByRole('listitem').allTextContents())
      .toEqual(['agent:run', 'wallet:read'])
    await keys.getByText(/· used .* · until/).waitFor()
    await isFine(page)
    const ask = () => app.server.call('GET', '/me', { headers: { authorization: `Bearer ${key}` } })
    await keys.getByRole('button', { name: 'Revoke Build server' }).tap()
    await page.getByRole('button', { name: 'Go back' }).tap()
    expect((await ask()).status).toBe(200)
    await keys.getByRole('button', { name: 'Revoke Build server' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).tap()
    await keys.getByText('No keys yet').waitFor()
    expect((await ask()).status).toBe(401)
    expect(faults).toEqual([])
  },
)

soakTest(
  'ending another session leads that browser to the sign-in page, which returns to the same screen',
  async () => {
    const { page, faults } = await app.open(DESKTOP)
    const other = await app.open(DESKTOP)
    for (const tab of [other.page, page]) {
      await enterAt(tab, '/app/sessions', 'ngozi@security.example.com')
    }
    const rows = page.locator('main').getByRole('listitem')
    await expect.poll(() => rows.count(), PATIENT).toBe(2)
    await rows.first().getByText('This session').waitFor()
    await isFine(page)
    await pressOn(page.getByRole('button', { name: /^End Chrome on Linux/ }))
    await expect.poll(() => rows.count(), PATIENT).toBe(1)
    await expect.poll(() => page.getByRole('status').textContent(), PATIENT).toBe('The session has ended.')
    expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
    expect(faults).toEqual([])

    await pressOn(other.page.getByRole('link', { name: 'Security', exact: true }))
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await enterForDevelopment(other.page, 'ngozi@security.example.com')
    await other.page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()

    await page.reload()
    await expect.poll(() => rows.count(), PATIENT).toBe(2)
    await pressOn(page.getByRole('button', { name: 'End all others' }))
    await expect.poll(() => rows.count(), PATIENT).toBe(1)
    expect(await page.getByRole('button', { name: 'End all others' }).count()).toBe(0)
  },
)

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').waitFor()
  await type(page, 'email', email, 'Tab')
  await type(page, 'password', PASSWORD)
}

/** Tabs to a field, replaces its content, and presses a key. */
async function type(page: Page, id: string, text: string, last = 'Enter'): Promise<void> {
  await tabTo(page, `document.activeElement.id === ${JSON.stringify(id)}`)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
  await page.keyboard.press(last)
}

async function signOutByKeys(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  await page.keyboard.type('sett')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await pressOn(page.getByRole('button', { name: 'Sign out' }))
  await page.getByLabel('Email').waitFor()
}

const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.id')

const textOf = async (locator: Locator): Promise<string> => ((await locator.textContent()) ?? '').trim()

/** The browser logs refused calls. */
const isNotRefusal = (fault: string): boolean => !fault.includes('the server responded with a status of 401')
