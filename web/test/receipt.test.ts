// The printed invoice in a real browser: on paper, on a phone, and without scripts.

import { creditFor, issueFor } from '@cowrie/testkit/billing/invoice.ts'
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { overflowOf } from './browser.ts'

const app = startApp()

/** An invoice with long words, several lines, tax and a credit note, in its owner's browser without scripts. */
async function openReceipt() {
  const owner = await app.server.person()
  await app.server.call('PUT', '/billing/details', {
    as: owner,
    body: {
      legalName: 'Adaobi Software & Consulting Limited',
      address: '2 Broad Street\n3rd floor\nLagos',
      taxId: '12345678-0001',
    },
  })
  const reference = `sb${owner.orgId.slice(4)}`
  const { id, number } = await issueFor(app.server, owner.orgId, {
    subject: 'change',
    reference,
    lines: [
      { description: 'Team plan, 12 Nov 2026 to 12 Dec 2026', quantity: 1, amountMinor: 3_200_000n },
      { description: 'x'.repeat(80), quantity: 12_000, amountMinor: 1_800_000n },
      { description: 'Unused time on Pro', quantity: 1, amountMinor: -601_234n },
    ],
  })
  await creditFor(app.server, owner.orgId, reference, 100_000n)
  const opened = await app.open({
    javaScriptEnabled: false,
    viewport: { width: 1000, height: 700 },
    extraHTTPHeaders: { authorization: `Bearer ${owner.bearer}` },
  })
  await opened.page.goto(`/invoices/${id}/receipt`)
  return { ...opened, number }
}

test('a receipt is one A4 page in black on white with all details, without the app frame, and fits a phone', async () => {
  const { page, faults, number } = await openReceipt()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const words = await page.locator('main').textContent()
  for (const expected of [number, '₦43,987.66', 'VAT 7.5%', 'Adaobi Software & Consulting Limited', 'PAID'])
    expect(words).toContain(expected)
  expect(await page.getByText('Download').isVisible()).toBe(false)
  const colours =
    'const { color, backgroundColor } = getComputedStyle(document.body); [color, backgroundColor]'
  expect(await page.evaluate(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  expect(pdf).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/)

  // It fits a small phone and stays black on white.
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 700 })
  expect(await overflowOf(page)).toBe(0)
  expect(await page.evaluate('getComputedStyle(document.querySelector("main")).backgroundColor')).toBe(
    'rgb(255, 255, 255)',
  )
  await page.getByRole('link', { name: 'Download' }).waitFor()
  expect(faults).toEqual([])
})
