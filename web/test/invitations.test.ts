// Invitations by email: to a team and to the staff.

import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { pressOn } from './browser.ts'
import { enterPassword, PASSWORD } from './people.ts'
import { mailedLink } from './service.ts'

const app = startApp()

soakTest('a user invited to a team chooses a password and sees the team', async () => {
  const owner = await app.server.person()
  const team = await app.server.call('POST', '/teams', { as: owner, body: { name: 'Weavers' } })
  const added = await app.server.call('POST', `/teams/${team.body.orgId}/members`, {
    as: owner,
    body: { email: 'invited@invitations.example.com', role: 'member' },
  })
  expect(added.status).toBeLessThan(300)
  const { page, faults } = await app.open()
  await page.goto(await mailedLink(app.server, 'invited@invitations.example.com'))
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  expect(page.url()).toBe(`${app.origin}/app/reset`)
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('Your new password is set.').waitFor()
  await enterPassword(page, 'invited@invitations.example.com')
  await pressOn(page.getByRole('link', { name: 'Organisations' }))
  await page.locator('main').getByText('Weavers').waitFor()
  expect(faults).toEqual([])
})

test('a user invited to the staff accepts with a button, and chooses a password only without an account', async () => {
  const admin = await app.server.person({ staff: 'super_admin' })
  const member = await app.server.person({ email: 'known@invitations.example.com' })
  const newcomer = ['stranger@invitations.example.com', true] as const
  for (const [email, isNew] of isSoak ? [newcomer, [member.email, false] as const] : [newcomer]) {
    await app.server.call('POST', '/admin/operators/invite', { as: admin, body: { email, role: 'support' } })
    const { page } = await app.open()
    await page.goto(await mailedLink(app.server, email))
    await page.getByRole('heading', { name: 'Join the staff of Cowrie' }).waitFor()
    expect(page.url()).toBe(`${app.origin}/app/operator-invite`)
    await pressOn(page.getByRole('button', { name: 'Accept invitation' }))
    if (isNew) {
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
    }
    await page.getByText('Your account now has the tier “support”.').waitFor()
  }
})

soakTest('a used staff invitation shows an error', async () => {
  const { page } = await app.open()
  await page.goto('/app/operator-invite#token=was-never-one')
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
})
