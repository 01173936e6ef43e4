// Scans of a real repository by the real service.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CommandOptions, cowrie } from './cowrie.ts'
import { makeRepository, type TestRepository } from './repository.ts'

const BAD = `const { exec } = require('child_process')
module.exports = (req) => {
  exec('ls ' + req.query.dir)
}
`
const GOOD = 'module.exports = () => 1\n'

let server: TestServer
let url: string
let home: string
let ada: Person
let repository: TestRepository

beforeAll(async () => {
  server = await startTestServer()
  url = await server.listen()
  ada = await server.person()
  home = await mkdtemp(join(tmpdir(), 'cowrie-review-'))
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})
beforeEach(() => {
  repository = makeRepository({ 'src/old bad.js': BAD, 'src/good.js': GOOD })
})
afterEach(() => repository.remove())

const scan = (args: string[], machine: CommandOptions['machine'] = {}) =>
  cowrie(['review', 'scan', ...args], {
    machine: { cwd: repository.root, ...machine },
    env: { HOME: home, PATH: process.env.PATH ?? '', COWRIE_URL: url, COWRIE_API_KEY: ada.bearer },
  })

test('a scan prints location, severity and message, and exits with 1 for errors', async () => {
  const { code, stdout, stderr } = await scan([])
  expect([code, stdout.trimEnd().split('\n')]).toEqual([
    1,
    [expect.stringMatching(/^src\/old bad\.js:3 error [A-Z0-9-]+ \S/)],
  ])
  expect(stderr).toContain('1 finding (1 error, 0 warn, 0 note); 2 files')
  expect(await scan(['--fail-on', 'never'])).toMatchObject({ code: 0, stdout })
  expect((await scan([], { cwd: join(repository.root, 'src') })).stdout).toMatch(/^old bad\.js:3 /)
  expect(await scan(['src/good.js'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('No findings; 1 files'),
  })
  expect(await scan(['--fail-on', 'high'])).toMatchObject({ code: 64 })
  // In a pipeline, a typing error must not look like a clean review.
  expect(await scan(['srk'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('"srk" is not a file of this repository'),
  })
})

soakTest('--json prints the report of the service', async () => {
  const { stdout } = await scan(['--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    findings: [{ path: 'src/old bad.js', line: 3, cwe: 'CWE-78', severity: 'error' }],
    summary: { files: 2, findings: 1 },
  })
})

soakTest('a skipped file is named with the reason', async () => {
  // A file in Latin-1, as some editors still write it.
  repository.write({ 'src/pay.php': Buffer.from("<?php system($_GET['c']); // caf\xe9\n", 'latin1') })
  const { stderr } = await scan([])
  expect(stderr).toContain('1 file was not scanned in full:')
  expect(stderr).toContain('src/pay.php: binary')
  const report = JSON.parse((await scan(['--json'])).stdout)
  expect(report.skipped).toEqual([{ path: 'src/pay.php', reason: 'binary' }])
  repository.git('add', '-A')
  repository.write({ 'src/logo.php': 'GIF89a\0' })
  repository.git('add', '-A')
  const staged = JSON.parse((await scan(['--staged', '--json'])).stdout)
  expect(staged.skipped).toEqual([{ path: 'src/logo.php', reason: 'binary' }])
})

test('--diff reports only findings in changes since a commit, committed or not', async () => {
  expect(await scan(['--diff', 'main'])).toMatchObject({ code: 0, stdout: '' })
  repository.git('checkout', '-q', '-b', 'work')
  repository.write({ 'src/old bad.js': `${BAD}// A remark.\n`, 'src/new.js': BAD })
  repository.git('add', '-A')
  repository.git('commit', '-q', '-m', 'More')
  repository.write({ 'src/good.js': BAD })
  const { code, stdout } = await scan(['--diff', 'main'])
  expect([code, stdout.match(/^\S+(?=:3)/gm)]).toEqual([1, ['src/good.js', 'src/new.js']])
  expect(await scan(['--diff=--output=x'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('git has no commit'),
  })
})

soakTest('--staged reports the staged content', async () => {
  repository.write({ 'src/good.js': BAD })
  repository.git('add', '-A')
  repository.write({ 'src/good.js': GOOD })
  const { code, stdout } = await scan(['--staged'])
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^src\/good\.js:3 error /)])
  repository.git('reset', '-q', '--hard')
  expect(await scan(['--staged'])).toMatchObject({ code: 0, stdout: '' })
})

soakTest('SARIF output has relative paths, rule indexes, fingerprints and one run', async () => {
  const file = join(home, 'cowrie.sarif')
  const written = await scan(['--sarif', file])
  expect(written).toMatchObject({ code: 1, stdout: expect.stringMatching(/^src\/old bad\.js:3 error /) })
  const log = JSON.parse(await readFile(file, 'utf8'))
  expect(log).toMatchObject({
    $schema: expect.stringContaining('sarif-2.1.0'),
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Cowrie' } }, results: [{ level: 'error' }] }],
  })
  const [{ tool, results }] = log.runs
  const [result] = results
  expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
  expect(result).toMatchObject({
    message: { text: expect.any(String) },
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/old%20bad.js' }, region: { startLine: 3 } } },
    ],
    partialFingerprints: { primaryLocationLineHash: expect.any(String) },
  })
  const piped = await scan(['--sarif', '-'])
  expect([piped.code, JSON.parse(piped.stdout)]).toEqual([1, log])
  const none = await scan(['--sarif', '-', '--staged'])
  expect([none.code, JSON.parse(none.stdout).runs]).toMatchObject([0, [{ results: [] }]])
})

test('possible secrets are not sent without an option', async () => {
  const key = ['ghp', 'r8Kq2ZvX0bN4mT7yWc1LdF5sHj3GpA9uEoIk'].join('_')
  repository.write({ 'src/config.js': `const token = '${key}'\n` })
  const refused = await scan([])
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('src/config.js:1 GitHub token')
  expect(refused.stderr).not.toContain(key)
  expect((await scan(['--allow-secrets'])).stdout).toContain('src/old bad.js:3')
})
