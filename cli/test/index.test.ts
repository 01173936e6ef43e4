// Indexing a real repository with the real service, over a network that breaks.

import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type BadNetwork, startBadNetwork } from './bad-network.ts'
import { type CommandOptions, cowrie } from './cowrie.ts'
import { makeRepository, type TestRepository } from './repository.ts'

const WALLET = `/** Moves kobo from one account to another, and refuses when there is too little. */
export async function transferFunds(from: string, to: string, amountKobo: bigint) {
  const balance = await db.balanceOf(from)
  if (balance < amountKobo) throw new Error('not enough')
  await db.move(from, to, amountKobo)
}
`
const PARSER = `"""Reads what people write."""
def parse_duration(text):
    """Turn a text such as 5m or 2h into a number of seconds."""
    return int(text[:-1]) * {"s": 1, "m": 60, "h": 3600}[text[-1]]
`

let server: TestServer
let network: BadNetwork
let url: string
let home: string
let ada: Person
let repository: TestRepository

beforeAll(async () => {
  server = await startTestServer()
  url = await server.listen()
  network = await startBadNetwork(url)
})
afterAll(async () => {
  await network.close()
  await server.close()
})
beforeEach(async () => {
  ada = await server.person()
  await giveCredit(server, ada.orgId, 1_000_000n)
  home = await mkdtemp(join(tmpdir(), 'cowrie-index-'))
  repository = makeRepository({
    'src/wallet.ts': WALLET,
    'lib/parser.py': PARSER,
    'dist/out.js': 'made()',
    '.env': 'KEY=1',
    '.gitignore': 'nothing\n',
    '.cowrieignore': 'dist/\n',
  })
  repository.git('remote', 'add', 'origin', 'git@github.com:acme/shop.git')
  return async () => {
    repository.remove()
    await rm(home, { recursive: true, force: true })
  }
})

const index = (
  args: string[],
  { through = url, machine, ...options }: CommandOptions & { through?: string } = {},
) =>
  cowrie(['index', ...args], {
    ...options,
    machine: { cwd: repository.root, ...machine },
    env: { HOME: home, PATH: process.env.PATH ?? '', COWRIE_URL: through, COWRIE_API_KEY: ada.bearer },
  })
const paths = async () =>
  (await server.call<{ paths: string[] }>('GET', '/repo/index?repo=acme/shop', { as: ada })).body.paths
const charges = () => server.sql.rows`
  select charged_minor from holds where org_id = ${ada.orgId} and source = 'index' and charged_minor > 0`

const history = () =>
  server.sql.one<{ latest: string; commits: { subject: string; paths: string[] }[] }>`
    select latest, commits from public.index_histories where org_id = ${ada.orgId}`

test('a repository is indexed for the quoted price, then only changes are sent', async () => {
  expect(await index(['push'])).toMatchObject({ code: 64, stderr: expect.stringContaining('--yes') })
  expect(await paths()).toEqual([])

  const first = await index(['push', '--yes'])
  expect([first.code, first.stdout]).toEqual([
    0,
    '2 files indexed, 0 removed, 0 not indexed. History: 1 more commit.\n',
  ])
  expect(first.stderr).toContain('.env is never sent')
  expect(first.stderr).toMatch(/Cost ₦\d+\.\d\d · Balance ₦9,999\.\d\d/)
  expect(await paths()).toEqual(['lib/parser.py', 'src/wallet.ts'])

  // Nothing has changed, so nothing is sent or charged.
  expect(await index(['push'])).toMatchObject({ code: 0, stdout: 'The index is up to date.\n' })
  expect(await charges()).toHaveLength(1)

  repository.write({
    'src/wallet.ts': `${WALLET}\nexport const limit = 5\n`,
    'src/new.ts': 'export const x = 1\n',
  })
  rmSync(join(repository.root, 'lib/parser.py'))
  expect((await index(['status'])).stdout).toContain('2 to send, 1 to remove')
  const second = await index(['push', '--yes', '--json'])
  expect(JSON.parse(second.stdout)).toMatchObject({ indexed: 2, removed: 1, skipped: [] })
  expect(await paths()).toEqual(['src/new.ts', 'src/wallet.ts'])
})

test('files that are not sent or not indexed are named with the reason, a few for each', async () => {
  repository.write({ 'logo.png': 'a\0b', 'app.min.js': 'a()', 'blank.txt': ' ' })
  for (let i = 0; i < 12; i++) repository.write({ [`dist/${i}.js`]: 'made()' })
  const { stderr } = await index(['push', '--yes'])
  expect(stderr).toContain('logo.png is not text.')
  expect(stderr).toContain('app.min.js is minified.')
  expect(stderr).toContain('blank.txt is empty.')
  expect(stderr.match(/^dist.* is excluded by /gm)).toHaveLength(10)
  expect(stderr).toContain('3 more files for the same reason. --json lists all of them.')
})

test('only new commits are sent, with the files that may be sent, and none with --no-history', async () => {
  await index(['push', '--yes'])
  const first = await history()
  expect(first.commits).toEqual([expect.objectContaining({ paths: ['lib/parser.py', 'src/wallet.ts'] })])
  repository.write({ 'src/wallet.ts': `${WALLET}export const limit = 5\n`, '.env': 'KEY=2' })
  repository.git('add', '--all', '--force')
  repository.git('commit', '--message', 'wallet: limit transfers')
  await index(['push', '--yes', '--no-history'])
  expect(await history()).toEqual(first)
  expect((await index(['push'])).stdout).toBe('The index is up to date. History: 1 more commit.\n')
  const newer = { subject: 'wallet: limit transfers', paths: ['src/wallet.ts'] }
  expect((await history()).commits).toEqual([newer, ...first.commits])

  // The newest stored commit is no longer part of the history.
  repository.git('commit', '--amend', '--message', 'wallet: limit transfers to 5')
  await index(['push'])
  expect((await history()).commits).toEqual([
    { ...newer, subject: 'wallet: limit transfers to 5' },
    ...first.commits,
  ])
})

soakTest('an index cleared elsewhere is sent again', async () => {
  await index(['push', '--yes'])
  await server.call('DELETE', '/repo/index?repo=acme/shop', { as: ada })
  expect((await index(['push', '--yes'])).stdout).toContain('2 files indexed')
})

soakTest('another repository with the same paths does not touch this one', async () => {
  await index(['push', '--yes'])
  const bank = makeRepository({ 'src/wallet.ts': WALLET.replace('transferFunds', 'bookTransfer') })
  const there = { machine: { cwd: bank.root } }
  try {
    expect((await index(['push', '--yes'], there)).stdout).toContain('1 files indexed')
    expect((await index(['push'])).stdout).toBe('The index is up to date.\n')
    const search = ['search', 'move money between accounts', '--limit', '1']
    expect((await index(search)).stdout).toContain('transferFunds')
    expect((await index(search, there)).stdout).toContain('bookTransfer')
    // Without a remote it is named after its folder and first commit.
    const name = expect.stringMatching(/^cowrie-repo-\w+-[0-9a-f]{8}$/)
    expect(JSON.parse((await index(['status', '--json'], there)).stdout)).toMatchObject({
      repo: name,
      repositories: [{ repo: 'acme/shop' }, { repo: name }],
    })
    expect((await index([...search, '--repo', 'acme/shop'], there)).stdout).toContain('transferFunds')
  } finally {
    bank.remove()
  }
})

soakTest('files pushed by another clone meanwhile are pushed again', async () => {
  await index(['push', '--yes'])
  const files = [{ path: 'src/wallet.ts', content: 'export const other = 1\n' }]
  await server.call('POST', '/repo/index', { as: ada, body: { repo: 'acme/shop', files } })
  expect((await index(['status'])).stdout).toContain('1 to send, 0 to remove')
  expect((await index(['push', '--yes'])).stdout).toContain('1 files indexed')
})

soakTest('only named paths are sent, and nothing outside the repository', async () => {
  await index(['push', '--yes', 'src'], { machine: { cwd: repository.root } })
  expect(await paths()).toEqual(['src/wallet.ts'])
  await index(['push', '--yes', '.'], { machine: { cwd: join(repository.root, 'lib') } })
  expect(await paths()).toEqual(['lib/parser.py', 'src/wallet.ts'])
  expect(await index(['push', '--yes', '..'])).toMatchObject({ code: 64 })
})

test('the cost stays within --max-cost, also without a quote in data-saving mode', async () => {
  expect(await index(['push', '--yes', '--max-cost', '0.00'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('the limit is ₦0.00'),
  })
  expect(await index(['push', '--yes', '--max-cost', '0.00', '--data-saver'])).toMatchObject({ code: 1 })
  expect(await charges()).toEqual([])
  expect(await index(['push', '--yes', '--max-cost', '5', '--data-saver'])).toMatchObject({ code: 0 })
})

test('a push whose answer is lost continues and is charged once', async () => {
  // Only the answer to the paid call has a lower balance.
  network.cut('"balanceMinor":9999', { before: true, down: true })
  const lost = await index(['push', '--yes'], { through: network.url })
  expect(lost).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining('Push again') })
  expect(await charges()).toHaveLength(1)
  network.up()
  // It would be sent with the earlier price, so a lower limit refuses it.
  const less = ['push', '--yes', '--max-cost', '0.00', '--data-saver']
  expect(await index(less, { through: network.url })).toMatchObject({ code: 5 })
  const again = await index(['push', '--yes'], { through: network.url })
  expect([again.code, again.stdout]).toEqual([
    0,
    '2 files indexed, 0 removed, 0 not indexed. History: 1 more commit.\n',
  ])
  expect(await charges()).toHaveLength(1)
})

test('possible secrets are not sent without an option', async () => {
  const key = ['ghp', 'r8Kq2ZvX0bN4mT7yWc1LdF5sHj3GpA9uEoIk'].join('_')
  repository.write({ 'src/config.js': `export const token = '${key}'\n` })
  const refused = await index(['push', '--yes'])
  expect([refused.code, await paths()]).toEqual([1, []])
  expect(refused.stderr).toContain('src/config.js:1 GitHub token')
  expect(refused.stderr).not.toContain(key)
  expect(await index(['push', '--yes', '--allow-secrets'])).toMatchObject({ code: 0 })
})

soakTest('a search prints paths relative to the current folder, with lines', async () => {
  await index(['push', '--yes'])
  const found = await index(['search', 'move money between accounts', '--limit', '1'], {
    machine: { cwd: join(repository.root, 'lib') },
  })
  expect(found.stdout.split('\n')[0]).toBe('../src/wallet.ts:1  transferFunds')
  const json = await index(['search', 'seconds', '--json', '--path', 'lib/'])
  expect(JSON.parse(json.stdout)).toMatchObject({ hits: [{ path: 'lib/parser.py' }] })
  expect(await index(['search', 'x', '--limit', '99'])).toMatchObject({ code: 64 })
})

test('a rewritten search shows its cost, and is not sent without consent or above --max-cost', async () => {
  await index(['push', '--yes'])
  const query = ['search', 'where funds move between accounts', '--rewrite']
  expect(await index(query)).toMatchObject({ code: 64, stderr: expect.stringContaining('--yes') })
  expect((await index([...query, '--yes', '--max-cost', '0'])).stderr).toContain('the limit is')
  const shown = await index([...query, '--yes'])
  expect(shown.stdout).toContain('src/wallet.ts:1  transferFunds')
  expect(shown.stderr).toContain('Also searched: ')
  const { rewrite } = JSON.parse((await index([...query, '--yes', '--json'])).stdout)
  expect(rewrite).toMatchObject({ status: 'used', reason: null })
  const { balanceMinor } = (await server.call('GET', '/wallet', { as: ada })).body
  expect(BigInt(rewrite.balanceMinor)).toBe(balanceMinor)
})

soakTest('the index is cleared after a confirmation, with its local record', async () => {
  await index(['push', '--yes'])
  expect(await index(['clear'])).toMatchObject({ code: 64 })
  expect(await index(['clear', 'lib/parser.py', '--yes'])).toMatchObject({ stdout: 'Removed 1 file.\n' })
  expect(await index(['clear', '--yes'])).toMatchObject({ stdout: 'Removed 1 file.\n' })
  expect((await index(['status'])).stdout).toContain('2 to send, 0 to remove')
})
