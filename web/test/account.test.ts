// Account screens in a real browser: passkeys, device logins, organisations, and edge cases of two-step sign-in. The journeys
// through two-step sign-in, keys and sessions are in journeys/security.test.ts.

import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startApp } from './app.ts'
import { PATIENT, pressOn } from './browser.ts'
import { codeOf, enterForDevelopment, enterPassword, openAccount, PASSWORD, signOut } from './people.ts'
import { mailedLink } from './service.ts'

const app = startApp()

soakTest('recovery codes are shown even if the service stops responding', async () => {
  const { page } = await app.open()
  await page.goto('/app/security')
  await enterForDevelopment(page, 'unlucky@account.example.com')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = (await page.getByTestId('copyable').textContent()) ?? ''
  await page.route('**/me', (route) => route.abort())
  await page.getByLabel('Code').fill(codeOf(app.server, secret))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  await page.getByLabel('I saved them').check()
  const codes = ((await page.getByTestId('copyable').textContent()) ?? '').trim().split(/\s+/)
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'Continue' }).click()
  // The page knows that it is on, although the service does not respond.
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  await page.unroute('**/me')
  await page.reload()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
})

soakTest('an unknown or expired second step starts again', async () => {
  const { page } = await app.open()
  await page.goto('/app/sign-in/second-factor')
  await page.getByRole('heading', { name: 'This sign-in has expired' }).waitFor()
  await page.goto('/app/sign-in/second-factor#challenge=was-never-one')
  await page.getByLabel('Code').fill('123456')
  expect(page.url()).toBe(`${app.origin}/app/sign-in/second-factor`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'This sign-in has expired' }).waitFor()
  await page.getByRole('link', { name: 'Start again' }).click()
  await page.getByLabel('Email').waitFor()
})

test('a passkey is added, signs in without an email address, and is removed', async () => {
  const { page, faults } = await app.open()
  await addAuthenticator(page)
  await page.goto('/app/security')
  await enterForDevelopment(page, 'kofi@account.example.com')
  await pressOn(page.getByRole('button', { name: 'Add a passkey' }))
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await passkeys.getByText('Chrome on Linux', { exact: true }).waitFor()
  await passkeys.getByText('never used').waitFor()
  await expect.poll(() => page.getByRole('status').textContent(), PATIENT).toBe('The passkey is added.')

  await signOut(page)
  await pressOn(page.getByRole('button', { name: 'Use a passkey' }))
  await page.getByTestId('meter').waitFor()

  await page.getByRole('link', { name: 'Security' }).click()
  await pressOn(passkeys.getByRole('button', { name: 'Remove Chrome on Linux' }))
  const dialog = page.getByRole('dialog', { name: 'Remove “Chrome on Linux”?' })
  await pressOn(dialog.getByRole('button', { name: 'Remove' }))
  await passkeys.getByText('None yet.').waitFor()
  expect(faults).toEqual([])
})

test('the address is changed with a link to the new mailbox, and restored with one to the old mailbox', async () => {
  const { page, faults } = await app.open()
  await page.goto('/app/security')
  await enterForDevelopment(page, 'old@account.example.com')
  await page.getByLabel('New address').fill('new@account.example.com')
  await page.keyboard.press('Enter')
  await page.getByTestId('pending-email').getByText('new@account.example.com').waitFor()
  app.server.clock.advance({ seconds: 1 })
  const link = await mailedLink(app.server, 'new@account.example.com')
  const { page: signedOut } = await app.open()
  await signedOut.goto(link)
  await signedOut.getByText('First sign in here with your present address.').waitFor()
  await page.goto(link)
  await pressOn(page.getByRole('button', { name: 'Confirm' }))
  await page.getByRole('heading', { name: 'Your new address is confirmed' }).waitFor()
  await page.goto('/app/security')
  const region = page.getByRole('region', { name: 'Email address' })
  await region.getByText('new@account.example.com').waitFor()

  await page.goto(await mailedLink(app.server, 'old@account.example.com'))
  await pressOn(page.getByRole('button', { name: 'Keep my address' }))
  await page.getByText(/Choose a new password with the link/).waitFor()
  // The session of the page has ended.
  expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
})

test('allowed addresses lock the user out only on request, who then switches to another organisation', async () => {
  const { page, faults } = await app.open()
  await page.goto('/app/organisation')
  await enterForDevelopment(page, 'locked@account.example.com')
  const team = await app.server.person({ type: 'team', email: 'team@account.example.com' })
  await app.server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at)
    select ${team.orgId}, id, 'admin', ${app.server.clock.now()} from users where email = 'locked@account.example.com'`
  const addresses = page.getByRole('region', { name: 'Allowed addresses' })
  await addresses.getByLabel(/one per line/).fill('203.0.113.0/24 Lagos')
  await pressOn(addresses.getByRole('button', { name: 'Save addresses' }))
  await addresses.getByText(/lacks the address of this call/).waitFor()
  await addresses.getByLabel(/although I cannot use/).check()
  await pressOn(addresses.getByRole('button', { name: 'Save addresses' }))
  await page
    .getByText(/cannot be used from 127.0.0.1/)
    .first()
    .waitFor()
  await page.goto('/app')
  await pressOn(page.getByRole('button', { name: 'Switch to team@account.example.com' }))
  await page.getByTestId('meter').waitFor()
  expect(faults.filter((fault) => !/40[39]/.test(fault))).toEqual([])
})

describe('a device login', () => {
  test('is approved after a sign-in with the code in its link', async () => {
    const device = await askForKey()
    const { page, faults } = await app.open()
    await page.goto(`/app/device#code=${device.userCode}`)
    await enterForDevelopment(page, 'device@account.example.com')
    await page.getByRole('heading', { name: 'Is this you?' }).waitFor()
    expect(page.url()).toBe(`${app.origin}/app/device`)
    await page.getByText(device.userCode).waitFor()
    await page.getByText('Cowrie CLI on my-laptop').waitFor()
    await page.getByText('Read the balance, ledger and usage').waitFor()
    await pressOn(page.getByRole('button', { name: 'Approve' }))
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    const answer = await app.server.call('POST', '/auth/device/token', {
      body: { deviceCode: device.deviceCode },
    })
    expect(answer.status).toBe(200)
    expect(answer.body.key).toMatch(/^csk_/)
    expect(faults).toEqual([])
  })

  soakTest('keeps its code in the tab that requested a sign-in link', async () => {
    const email = await openAccount(app.server, 'device-by-link@account.example.com')
    const device = await askForKey()
    const { page } = await app.open()
    await page.goto(`/app/device#code=${device.userCode}`)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    const opened = await page.context().newPage()
    await opened.goto(await mailedLink(app.server, email))
    // The code is only in the memory of the page that received it.
    await opened.getByRole('heading', { name: 'Connect a device' }).waitFor()
    await page.getByRole('heading', { name: 'Is this you?' }).waitFor()
    await page.getByText(device.userCode).waitFor()
  })

  soakTest('can be denied by a user who does not recognize it', async () => {
    const device = await askForKey()
    const { page } = await app.open()
    await page.goto('/app/device')
    await enterForDevelopment(page, 'careful@account.example.com')
    await page.getByLabel('Code').fill('ZZZZ-ZZZZ')
    await page.keyboard.press('Enter')
    await page.getByText('No device is waiting with this code.').waitFor()
    await page.getByLabel('Code').fill(device.userCode.toLowerCase())
    await page.keyboard.press('Enter')
    await pressOn(page.getByRole('button', { name: 'Deny' }))
    await page.getByRole('heading', { name: 'Refused' }).waitFor()
    const newer = await askForKey()
    await page.goto(`/app/device#code=${newer.userCode}`)
    await page.getByText(newer.userCode).waitFor()
    const answer = await app.server.call('POST', '/auth/device/token', {
      body: { deviceCode: device.deviceCode },
    })
    expect(answer.body.code).toBe('access_denied')
  })
})

soakTest('a member of two organisations switches between them, in every tab', async () => {
  const ada = await app.server.person({ email: 'ada@account.example.com' })
  const team = await app.server.person({ email: 'team@account.example.com', type: 'team' })
  await app.server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at)
    values (${team.orgId}, ${ada.userId}, 'member', ${app.server.clock.now()})`
  const { page, faults } = await app.open()
  await page.goto('/app/organisations')
  await enterForDevelopment(page, 'ada@account.example.com')
  const other = await page.context().newPage()
  await other.goto('/app/organisations')
  const there = other.getByRole('listitem').filter({ hasText: 'team@account.example.com' })
  await there.getByRole('button', { name: 'Switch' }).waitFor()
  await pressOn(page.getByRole('button', { name: 'Switch to team@account.example.com' }))
  await page
    .getByRole('listitem')
    .filter({ hasText: 'team@account.example.com' })
    .getByText('Current')
    .waitFor()
  await there.getByText('Current').waitFor()
  expect(faults).toEqual([])
})

soakTest('a user who knows the password can change it', async () => {
  const email = await openAccount(app.server, 'zainab@account.example.com')
  const { page } = await app.open()
  await page.goto('/app/security')
  await enterPassword(page, email)
  await page.getByLabel('Current password', { exact: true }).fill('not this one')
  await page.getByLabel('New password', { exact: true }).fill('five egrets in June')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Wrong password.').waitFor()
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('Your password is changed.').first().waitFor()
  await expect.poll(() => page.getByLabel('New password', { exact: true }).inputValue()).toBe('')
  await signOut(page)
  await enterPassword(page, email, 'five egrets in June')
  await page.getByTestId('meter').waitFor()
})

soakTest('an old session requires a new sign-in before a security change, and returns to it', async () => {
  const email = await openAccount(app.server, 'zola@account.example.com')
  const { page } = await app.open()
  await page.goto('/app/security')
  await enterPassword(page, email)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
  app.server.clock.advance({ days: 1 })
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const again = page.getByRole('alert').getByRole('button', { name: 'Sign in again' })
  await page.route('**/auth/logout', (route) => route.abort())
  await again.click()
  await page.getByRole('alert').getByText('The service does not respond.').waitFor()
  await page.unroute('**/auth/logout')
  await again.click()
  await page.getByLabel('Email').waitFor()
  await enterPassword(page, email)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByText('Scan').first().waitFor()
})

async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function askForKey(): Promise<{ userCode: string; deviceCode: string }> {
  const { body } = await app.server.call<{ userCode: string; deviceCode: string }>('POST', '/auth/device', {
    body: { clientName: 'Cowrie CLI on my-laptop', scopes: ['agent:run', 'wallet:read'] },
  })
  return body
}
