// A team with caps: invitation, cap, raised cap, additional seat, and removal.

import { giveCredit, holdSome } from '@cowrie/testkit/wallet/money.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { OrgId, UserId } from '../../../server/src/kernel/ids.ts'
import { settle } from '../../../server/src/wallet/wallet.ts'
import { startApp } from '../app.ts'
import { PATIENT } from '../browser.ts'
import { enterAt, enterPassword, PASSWORD } from '../people.ts'
import { mailedLink } from '../service.ts'
import { DESKTOP, isFine, PHONE, SMALL_PHONE } from './journey.ts'

const app = startApp()
const ADA = 'ada@team.example.com'
const BISI = 'bisi@team.example.com'

test('a member works within a cap that the owner sets and raises, and loses access when removed', async () => {
  const { server } = app
  const owner = await app.open(PHONE)
  await enterAt(owner.page, '/app/team', ADA)
  await isFine(owner.page)
  await owner.page.getByLabel('Team name').fill('Weavers')
  await owner.page.getByRole('button', { name: 'Create team' }).click()
  await owner.page.getByText('1 of 5 seats taken').waitFor()
  await owner.page.getByRole('button', { name: 'Team actions' }).click()
  await owner.page.getByText('A team needs at least one owner.').waitFor()
  await owner.page.keyboard.press('Escape')
  await invite(owner.page, BISI, '500')
  await owner.page.getByText(`Invitation sent to ${BISI}.`, { exact: true }).first().waitFor()
  await owner.page.getByText('₦0.00 of ₦500.00 this month').waitFor()
  await isFine(owner.page)

  const { page, faults } = await app.open(SMALL_PHONE)
  await page.goto(await mailedLink(server, BISI))
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('Your new password is set.').waitFor()
  await enterPassword(page, BISI)
  await page.getByLabel('Password', { exact: true }).waitFor({ state: 'detached' })
  await page.goto('/app/team')
  await page.getByText('Weavers').first().waitFor()
  await page.getByText('₦500.00 left this month').waitFor()
  await page.getByText('Owners and administrators can invite, change and remove members.').waitFor()
  expect(await page.getByRole('button', { name: 'Invite member' }).count()).toBe(0)
  await isFine(page)

  const bisi = await server.sql.one<{ orgId: OrgId; userId: UserId }>`
    select m.org_id as "orgId", m.user_id as "userId" from memberships m join users u on u.id = m.user_id
    where u.email = ${BISI}`
  const key = await server.key({ ...bisi, email: BISI, bearer: '' }, ['wallet:read', 'agent:run'])
  await giveCredit(server, bisi.orgId, 500_000n)
  const used = { lane: 'open', model: 'm-1', tokens: 100n, promptTokens: 90, outputTokens: 10 } as const
  await settle(server.app, {
    orgId: bisi.orgId,
    holdId: await holdSome(server, bisi, 49_999n),
    amountMinor: 49_999n,
    usage: used,
  })
  const thread = await server.call<{ id: string }>('POST', '/chat/threads', { as: key, body: {} })
  await page.goto(`/app/chat/${thread.body.id}`)
  await page.getByLabel('Your message').fill('Why is the sky blue?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your monthly cap is used up.').waitFor()
  await page.getByText(`Ask ${ADA} to raise it.`).waitFor()
  await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('Why is the sky blue?')

  await owner.page.reload()
  await owner.page.getByText('₦499.99 of ₦500.00 this month').waitFor()
  await choose(owner.page, BISI, 'Change role and cap')
  await owner.page.getByRole('dialog').getByLabel('Monthly cap (₦)').fill('a lot')
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await owner.page.getByText('This must be a number').waitFor()
  await owner.page.getByRole('dialog').getByLabel('Monthly cap (₦)').fill('1000')
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await owner.page.getByText('₦499.99 of ₦1,000.00 this month').waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  const left = async () =>
    (await server.call<{ cap: { leftMinor: bigint } }>('GET', '/me', { as: key })).body.cap.leftMinor
  await expect.poll(left, PATIENT).toBeLessThan(50_001n)

  await page.goto('/app/team')
  await page.getByText('left this month').waitFor()
  await isFine(page)
  await choose(owner.page, BISI, 'Remove')
  await owner.page.getByText('Their team sessions and keys stop working').waitFor()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await owner.page.getByText('1 of 5 seats taken').waitFor()
  expect((await server.call('GET', '/me', { as: key })).status).toBe(401)
  await page.getByRole('link', { name: 'Wallet' }).first().click()
  await enterPassword(page, BISI)
  await page.getByText('You are no longer a member of Weavers.').waitFor()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.goto('/app/team')
  await page.getByRole('button', { name: 'Create team' }).waitFor()
  expect(faults.filter((fault) => !/status of 40[12]/.test(fault))).toEqual([])
  expect(owner.faults).toEqual([])
})

test('if all seats are taken, the price of another seat is shown before the purchase', async () => {
  const { server } = app
  const ada = await server.person({ email: 'full@team.example.com', type: 'team' })
  const body = { planCode: 'team', interval: 'month' }
  const begun = await server.call<{ reference: string }>('POST', '/subscription/checkout', { as: ada, body })
  await server.call('POST', '/wallet/verify', { as: ada, body: { reference: begun.body.reference } })
  for (let each = 0; each < 4; each++) await server.member(ada.orgId, 'member')
  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, '/app/team', ada.email)
  const offer = page.getByRole('region', { name: 'Add a seat' })
  await offer.getByText('₦6,000.00 a month').waitFor()
  await expect.poll(() => page.getByTestId('seat-now').textContent()).toBe('₦6,000.00')
  await page.getByText('Spending this month as a table').click()
  await isFine(page)
  await expect.poll(() => page.getByRole('button', { name: 'Invite member' }).isDisabled()).toBe(true)
  await offer.getByRole('button', { name: 'Add a seat' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change to 6 seats' })
  await dialog.getByRole('button', { name: 'Pay ₦6,000.00 now' }).click()
  await page.getByText('5 of 6 seats taken').waitFor()
  await invite(page, 'sixth@team.example.com', '')
  await page.getByText('6 of 6 seats taken').waitFor()
  expect(faults).toEqual([])
})

test('an owner transfers a team and leaves it, and caps use the currency of the team', async () => {
  const { server } = app
  const ada = await server.person({ email: 'leaver@team.example.com' })
  const team = { name: 'Nairobi', currency: 'KES' }
  const { orgId } = (await server.call<{ orgId: OrgId }>('POST', '/teams', { as: ada, body: team })).body
  const heir = await server.member(orgId, 'member')
  await server.sql.rows`update users set active_org_id = ${orgId} where id = ${ada.userId}`
  const { page, faults } = await app.open(PHONE)
  await enterAt(page, '/app/team', ada.email)
  await page.getByRole('button', { name: 'Invite member' }).click()
  await page.getByLabel('Monthly cap (KSh)').waitFor()
  await page.getByRole('button', { name: 'Go back' }).click()
  await choose(page, heir.email, 'Make owner')
  // A request from before the rename is answered after it, with the old name.
  const renamed = page.waitForResponse((answer) => answer.url().endsWith(`/teams/${orgId}`))
  await page.route(
    '**/me',
    async (route) => {
      const before = await route.fetch()
      await renamed
      await route.fulfill({ response: before })
    },
    { times: 1 },
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Make owner' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Team actions' }).click()
  await page.getByRole('button', { name: 'Rename team' }).click()
  await page.getByLabel('Team name').fill('Nairobi Labs')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Nairobi Labs').first().waitFor()
  await page.getByRole('button', { name: 'Team actions' }).click()
  await page.getByRole('button', { name: 'Leave team' }).click()
  await page.getByRole('heading', { name: 'Leave Nairobi Labs?' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave team' }).click()
  await page.getByRole('button', { name: 'Create team' }).waitFor()
  expect(faults).toEqual([])
})

async function invite(page: Page, email: string, cap: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite member' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Monthly cap (₦)').fill(cap)
  await page.getByRole('button', { name: 'Send invitation' }).click()
}

/** An action on a member, from the menu of the row. */
async function choose(page: Page, email: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.locator('.menu-list').getByRole('button', { name: action }).click()
}
