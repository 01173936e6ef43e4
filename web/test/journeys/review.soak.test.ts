// Reviews in a real browser: an account is connected, a pull request reviewed, findings judged by keyboard, and code scanned.
import { readFileSync } from 'node:fs'
import { type FakeGithub, startGithub } from '@cowrie/testkit/fakes/github/github.ts'
import { afterAll, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT, pressOn } from '../browser.ts'
import { enterAt } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, SMALL_PHONE } from './journey.ts'

let github: FakeGithub
const app = startApp(async () => {
  github = await startGithub()
  return startAtLocalhost(github.variables)
})
afterAll(() => github?.close())

const INSTALLATION = 4_711
const REPO = 'acme/pay'
const BAD =
  "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n"
const EVIL = "app.get('/', (req) => {\n  eval(req.query.a)\n})\n"

test('an account is connected, its pull request reviewed, and keyboard verdicts give the precision', async () => {
  github.install(INSTALLATION)
  github.addRepo(REPO, INSTALLATION, { 'app.js': 'const a = 1\n' })
  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, '/app/review', 'ada@example.com')
  const rate = page.getByTestId('false-positive-rate')
  await page.getByText('No findings yet').waitFor()
  expect(await rate.count()).toBe(0)
  await isFine(page)
  await page.getByRole('link', { name: 'Connect GitHub' }).click()

  // An unknown installation is refused, and a known one is connected.
  const number = page.getByLabel('Installation number')
  await page.getByText('"org":"org_').waitFor()
  await number.fill('12')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await number.fill(String(INSTALLATION))
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const account = page.getByRole('article')
  await account.getByText('All permissions are granted.').waitFor()

  // Tests of pull requests are not available: that is explained, and other settings are kept.
  await account.getByLabel('Merge policy').selectOption('strict')
  await account.getByLabel('Run the tests of a pull request').check()
  await account.getByRole('button', { name: 'Save policy' }).click()
  await account.getByText('Tests of pull requests are not available yet').waitFor()
  await isFine(page)
  await account.getByLabel('Run the tests of a pull request').uncheck()
  await account.getByRole('button', { name: 'Save policy' }).click()
  await expect
    .poll(async () => (await (await page.request.get('/vcs/installations')).json()).installations[0], PATIENT)
    .toMatchObject({ blockingPolicy: 'strict', validationEnabled: false })

  github.openPull(REPO, 1, { 'run.js': BAD, 'evil.js': EVIL })
  await hear(github.pullMessage('opened', REPO, 1))
  await page.goto('/app/review')
  const findings = page.locator('.finding')
  await expect.poll(() => findings.count(), PATIENT).toBe(2)
  // Without verdicts there is no rate, and never a rate of zero.
  await expect.poll(() => rate.textContent(), PATIENT).toBe('Not enough verdicts yet')
  expect(await page.getByText('%').count()).toBe(0)
  await page.getByText('2 wait for a verdict.').waitFor()
  await expect
    .poll(() => findings.locator('.code-line.marked th').allInnerTexts())
    .toEqual(expect.arrayContaining([expect.stringContaining('3'), expect.stringContaining('2')]))
  await isFine(page)

  // J selects the first, C confirms it; J the next, R refutes it. Both stay in place.
  await page.keyboard.press('j')
  await page.locator('.finding:focus').waitFor()
  await page.keyboard.press('c')
  await expect.poll(() => verdict(0), PATIENT).toBe('Confirmed')
  await expect.poll(() => rate.textContent(), PATIENT).toBe('100% of findings were right')
  await page.keyboard.press('j')
  await pressOn(findings.nth(1).getByText('Add a note'))
  // In a note, letters are text.
  await findings.nth(1).getByLabel('Note').pressSequentially('curious')
  expect(await verdict(1)).toBe('Not judged')
  await pressOn(findings.nth(1).getByRole('button', { name: 'Refute' }))
  await expect.poll(() => verdict(1), PATIENT).toBe('Refuted')
  await findings.nth(1).getByText('curious').first().waitFor()
  await expect.poll(() => rate.textContent(), PATIENT).toBe('50% of findings were right')
  await page.getByText('Counted from 2 verdicts of the last 90 days.').waitFor()

  await page.getByLabel('Verdict').selectOption('refuted')
  await expect.poll(() => findings.count(), PATIENT).toBe(1)
  await page.getByLabel('Severity').selectOption('note')
  await page.getByText('No matching findings.').waitFor()

  await page.getByRole('tab', { name: 'Precision' }).click()
  await page.getByRole('img', { name: /Verdicts by the age of findings/ }).waitFor()
  await page.getByText('No rule has five verdicts yet.').waitFor()
  await isFine(page)
  await page.getByRole('tab', { name: 'Reviews' }).click()
  await page.getByText('acme/pay #1').waitFor()
  await page.getByRole('button', { name: 'Findings in acme/pay' }).click()
  await expect.poll(() => findings.count(), PATIENT).toBe(2)

  // Permissions removed on GitHub are listed.
  Object.assign(github.installations.get(INSTALLATION) ?? {}, {
    permissions: { metadata: 'read', contents: 'read' },
  })
  await hear(github.installationMessage('new_permissions_accepted', INSTALLATION))
  await page.setViewportSize({ width: 320, height: 640 })
  await isFine(page)
  await page.goto('/app/review/settings')
  await page.getByText('2 permissions are missing on GitHub').waitFor()
  await page.getByText('is none, must be write').first().waitFor()
  await isFine(page)
  // Refusals are the only console messages.
  expect(faults.filter((fault) => !/40[49]/.test(fault))).toEqual([])

  function verdict(at: number): Promise<string | null> {
    return findings.nth(at).getByTestId('verdict').textContent()
  }
})

test('a vulnerable file is scanned on a small phone, its line is shown, and SARIF can be downloaded', async () => {
  const { page, faults } = await app.open({ ...SMALL_PHONE, acceptDownloads: true })
  await enterAt(page, '/app/review/scan', 'bola@example.com')
  await page.getByLabel('Add files').setInputFiles([
    { name: 'run.js', mimeType: 'text/javascript', buffer: Buffer.from(BAD) },
    { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0]) },
  ])
  await page.getByText('a.png is not text').waitFor()
  await page.getByRole('button', { name: 'Scan', exact: true }).click()
  await page.getByRole('heading', { name: '1 finding' }).waitFor()
  await page.locator('#scanned:focus').waitFor()
  await expect
    .poll(() => page.locator('.code-line.marked').textContent())
    .toMatch(/3\s*exec\('ls ' \+ req\.query\.dir\)/)
  await page.getByText('CWE-78').waitFor()
  await isFine(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download SARIF' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('cowrie.sarif')
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toMatchObject({ version: '2.1.0' })

  // A diff reports only findings in its changes; other files are refused by name.
  await page.getByRole('button', { name: 'Remove all' }).click()
  await page
    .getByLabel('Or paste code or a diff')
    .fill(`--- /dev/null\n+++ b/run.js\n@@ -0,0 +1,4 @@\n${BAD.trimEnd().replaceAll(/^/gm, '+')}\n`)
  await page.getByRole('button', { name: 'Scan', exact: true }).click()
  await expect.poll(() => page.locator('.code-line').count(), PATIENT).toBe(1)
  await page.getByLabel('Or paste code or a diff').fill('let a = 1')
  await page.getByLabel('File name').fill('a.js')
  await page.getByRole('button', { name: 'Scan', exact: true }).click()
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  expect(faults).toEqual([])
})

async function hear({ headers, raw }: { headers: Record<string, string>; raw: Buffer }): Promise<void> {
  await app.server.call('POST', '/webhooks/github', { headers, raw })
  await app.server.app.jobs.drain()
}
