// The list of model calls in a real browser: chart, filters, details and the file.

import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { expect, test } from 'vitest'
import { reserveTurn, settleTurn } from '../../server/src/metering/metering.ts'
import { flushRequestLog, recordRequest } from '../../server/src/metering/requests/request-log.ts'
import { startApp } from './app.ts'
import { axeFaults } from './axe.ts'
import { overflowOf, PATIENT, pressOn, shiftOf } from './browser.ts'
import { enterAt } from './people.ts'
import { startAtLocalhost } from './service.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

const app = startApp(startAtLocalhost)

test('requests are charted and listed, can be filtered, lead to their charge, and fill a file', async () => {
  const person = await app.server.person({ email: 'caller@example.com' })
  await giveCredit(app.server, person.orgId, 1_000n)
  const key = await app.server.key(person, ['agent:run'])
  const turn = await reserveTurn(app.server.app, {
    ...person,
    currency: 'NGN',
    ref: 'gen_1',
    source: 'gateway',
    lane: 'open',
    model: 'm',
    promptTokens: 1_000,
    outputCeiling: 500,
    leastOutput: 1,
    spentMicroKobo: 0n,
    deadline: new Date('2030-01-01T00:00:00Z'),
  })
  const { entryId } = await settleTurn(app.server.app, turn, { promptTokens: 1_000, outputTokens: 204 })
  const call = {
    orgId: person.orgId,
    userId: person.userId,
    keyId: key.id,
    route: 'POST /v1/messages',
    model: 'claude-example',
    provider: 'default',
    tokens: { input: 900, cachedInput: 100, cacheWrite: 0, output: 204 },
    costMinor: 109n,
    exactCost: null,
    ttftMs: 80,
    durationMs: 12_400,
    status: 200,
    code: null,
    requestId: 'req_example',
    ledgerId: entryId,
  }
  recordRequest(app.server.app, call)
  const free = {
    tokens: { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 },
    costMinor: 0n,
    ledgerId: null,
  }
  for (let n = 0; n < 30; n++)
    recordRequest(app.server.app, {
      ...call,
      ...free,
      keyId: null,
      model: 'open',
      status: 402,
      code: 'key_budget_exceeded',
    })
  await flushRequestLog(app.server.app)
  app.server.clock.advance({ minutes: 1 })

  const { page, faults } = await app.open(PHONE)
  await page.clock.setFixedTime(app.server.clock.now())
  await enterAt(page, '/app/usage', person.email)
  await page.getByRole('link', { name: 'Show requests' }).click()
  await page.getByText('31 requests · 30 failed').waitFor()
  // Later the list changes with the filters, which moves what stands below it.
  expect(await shiftOf(page)).toBeLessThan(0.1)
  expect(await page.getByTestId('requests-sum').textContent()).toBe('₦1.09')
  await expect.poll(() => page.locator('details.request').count(), PATIENT).toBe(25)
  await page.getByRole('button', { name: 'Older requests' }).click()
  await expect.poll(() => page.locator('details.request').count(), PATIENT).toBe(31)
  expect(await overflowOf(page)).toBe(0)

  await page.getByLabel('Status').selectOption('Succeeded')
  await page.getByText('1 request · 0 failed').waitFor()
  await expect.poll(() => page.locator('details.request').count(), PATIENT).toBe(1)
  await page.getByLabel('API key').selectOption({ index: 1 })
  await page.getByLabel('Period').selectOption('Last 24 hours')
  await page.getByLabel('Model').fill('claude-example')
  await page.getByLabel('Model').press('Enter')
  // The rows of the filter before are still there for a moment, and close when the new ones arrive.
  const row = page.locator('details.request')
  await expect
    .poll(async () => {
      if ((await row.getAttribute('open')) === null) await pressOn(row.locator('summary'))
      return row.getByText('Cached input tokens', { exact: true }).isVisible()
    }, PATIENT)
    .toBe(true)
  for (const words of ['12.4s', '900', '80ms', 'req_example'])
    await row.getByText(words, { exact: true }).first().waitFor()

  expect(await axeFaults(page)).toEqual([])
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('cowrie-requests.csv')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  expect(Buffer.concat(chunks).toString().trim().split('\r\n')).toHaveLength(2)

  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('link', { name: 'How the cost was calculated' }).click()
  await page.getByRole('row', { name: 'All tokens 1,204 ₦900.00 108.36' }).waitFor()
  expect(faults).toEqual([])
})
