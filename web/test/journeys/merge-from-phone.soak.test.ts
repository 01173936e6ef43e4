// A feature from a phone on 2G: sign in, import a repository, ask for a change, follow it, read it, open the pull request, and
// see that the maintainer merged it. Prints the bytes, the seconds and the cost.
import { mergeByMaintainer } from '@cowrie/testkit/fakes/github/git-data.ts'
import { type FakeGithub, startGithub } from '@cowrie/testkit/fakes/github/github.ts'
import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { WRITE_PERMISSIONS } from '@cowrie/testkit/tasks/github-world.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, expect, test } from 'vitest'
import { NETWORKS } from '../../bench/networks.ts'
import { startApp } from '../app.ts'
import { overflowOf, slowDown } from '../browser.ts'
import { countWire } from '../count-wire.ts'
import { enterPassword, openAccount, signInAs } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { minorOf, PHONE } from './journey.ts'

const KILOBYTE = 1_000
const REPOSITORY = 'adunni/market'
const INSTALLATION = 801

let github: FakeGithub
let upstream: FakeUpstream
const app = startApp(async () => {
  github = await startGithub()
  upstream = await startFakeUpstream()
  return startAtLocalhost({
    ...github.variables,
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_SANDBOX_LOCAL: 'on',
    SERVICE_SANDBOX_DOCKER: 'off',
  })
})
afterAll(() => Promise.all([upstream?.close(), github?.close()]))

/** An ordinary repository: 60 modules with 40 lines each. */
const module = (n: number) =>
  Array.from(
    { length: 40 },
    (_, line) => `exports.rate${line} = (kobo) => kobo * ${n + line} // ${n}\n`,
  ).join('')
const FILES = {
  'README.md': '# Market\n',
  'package.json': '{ "name": "market", "scripts": { "test": "node --test" } }\n',
  'src/receipt.js': 'exports.lines = (items) => items.map(({ name, kobo }) => name + " " + kobo)\n',
  'test/receipt.test.js': testOf('lines', '[{ name: "rice", kobo: 5 }]', '["rice 5"]'),
  ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`src/rates/rate${n}.js`, module(n)])),
}
const FEATURE = byStep(
  calls(['search', { query: 'exports.lines' }], ['read', { path: 'src/receipt.js' }]),
  calls(
    [
      'edit',
      {
        path: 'src/receipt.js',
        edits: [
          {
            find: 'exports.lines =',
            replace:
              'exports.total = (items) => items.reduce((sum, { kobo }) => sum + kobo, 0)\nexports.lines =',
          },
        ],
      },
    ],
    ['create', { path: 'test/total.test.js', content: testOf('total', '[{ kobo: 5 }, { kobo: 7 }]', '12') }],
  ),
  'Receipts have a `total` now, in kobo, with a test.',
)

function testOf(name: string, input: string, output: string): string {
  return [
    "const { test } = require('node:test')",
    "const assert = require('node:assert')",
    `const { ${name} } = require('../src/receipt.js')`,
    '',
    `test('${name} of a receipt', () => assert.deepEqual(${name}(${input}), ${output}))`,
    '',
  ].join('\n')
}

test('a feature is merged from a 360 px phone on 2G with less than 300 kB', async () => {
  const email = await openAccount(app.server, 'adunni@phone.example.com')
  const repo = await prepare(email)
  upstream.fallback(FEATURE)

  const network = NETWORKS.find(({ name }) => name === '2G')
  if (!network) throw new Error('the 2G profile is missing')
  const { page, faults } = await app.open({ ...PHONE, locale: 'en-NG' })
  page.setDefaultTimeout(scaledTimeout(60_000))
  const session = await slowDown(page, network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: network.slowerCpu })
  const wire = await countWire(page)
  const parts: string[] = []
  const began = Date.now()
  const done = (name: string) => {
    const { down, up, requests } = wire.total()
    parts.push(
      [
        name.padEnd(14),
        seconds(began).padStart(7),
        kB(down).padStart(9),
        kB(up).padStart(8),
        `${requests}`.padStart(9),
      ].join(' '),
    )
  }

  await page.goto('/app/tasks/new', { waitUntil: 'commit' })
  await enterPassword(page, email)
  await page.getByLabel('What should change?').waitFor()
  done('signed in')

  await page.getByLabel('GitHub').check()
  await page.getByLabel('Repository').selectOption(REPOSITORY)
  await expect.poll(() => page.getByLabel('Branch').locator('option').count(), SLOW).toBe(2)
  await page.getByLabel('Branch').selectOption('next')
  await page.getByLabel('What should change?').fill('Add a total to the receipt, with a test.')
  await page.getByRole('button', { name: /^Start · at most ₦/ }).click()
  await page.waitForURL('**/app/tasks/tsk_*')
  const work = app.server.app.jobs.drain()
  done('started')

  await work
  await page.getByText('A new test passes, and fails without the change.').waitFor()
  const cost = await minorOf(page, 'turn-cost')
  done('verified')

  await page.getByRole('button', { name: 'Show 2 changed files' }).click()
  const sheet = page.getByRole('dialog', { name: 'Workspace' })
  await sheet.getByText('exports.total').first().waitFor()
  await sheet.getByRole('button', { name: 'Next file' }).click()
  await sheet.getByText('total of a receipt').first().waitFor()
  expect(await overflowOf(page)).toBe(0)
  done('read')

  await sheet.getByRole('button', { name: 'Open pull request' }).click()
  await page.getByLabel('As a draft').uncheck()
  await page.locator('dialog form').getByRole('button', { name: 'Open pull request' }).click()
  await sheet.getByTestId('pull-state').getByText('Open').waitFor()
  done('pull request')

  mergeByMaintainer(repo, 1)
  const { headers, raw } = github.pullMessage('closed', REPOSITORY, 1, { merged: true, at: new Date() })
  expect((await app.server.call('POST', '/webhooks/github', { headers, raw })).status).toBeLessThan(300)
  await app.server.app.jobs.drain()
  await sheet.getByTestId('pull-state').getByText('Merged').waitFor()
  done('merged')
  expect(repo.commits.get('next')?.['src/receipt.js']).toContain('exports.total')
  const total = wire.total()

  await sheet.getByRole('button', { name: 'Open pull request' }).click()
  await page.locator('dialog form').getByRole('button', { name: 'Open pull request' }).click()
  await sheet.getByRole('link', { name: 'Pull request #2' }).waitFor()

  const { down, up } = total
  process.stdout.write(
    [
      `\nA feature merged from a 360 px phone on 2G (${network.kbps} kbps, ${network.latencyMs} ms, a quarter of this machine)`,
      'until           seconds      down       up  requests',
      ...parts,
      `in all ${kB(down + up)}, ${seconds(began)}, ₦${(Number(cost) / 100).toFixed(2)}`,
      ...wire
        .largest(12)
        .map(
          ({ name, down: received, up: sent }) =>
            `  ${kB(received).padStart(9)} ${kB(sent).padStart(8)}  ${name}`,
        ),
      '',
    ].join('\n'),
  )
  expect(faults).toEqual([])
  expect(cost).toBeGreaterThan(0n)
  expect(down + up).toBeLessThan(300 * KILOBYTE)
}, 600_000)

const SLOW = {
  get timeout(): number {
    return scaledTimeout(60_000)
  },
}
const kB = (bytes: number): string => `${(bytes / KILOBYTE).toFixed(1)} kB`
const seconds = (since: number): string => `${((Date.now() - since) / 1_000).toFixed(1)} s`

/** An organisation with money whose GitHub App may change the repository. */
async function prepare(email: string) {
  github.install(INSTALLATION, 'adunni').permissions = { ...WRITE_PERMISSIONS }
  const repo = github.addRepo(REPOSITORY, INSTALLATION, FILES)
  repo.commits.set('next', { ...FILES })
  const { page } = await app.open()
  const { orgId } = await signInAs(page, email)
  await giveCredit(app.server, orgId, 500_000n)
  const claim = await page.request.post('/vcs/installations/claim', {
    data: { installationId: INSTALLATION },
  })
  expect(claim.status(), await claim.text()).toBe(200)
  return repo
}
