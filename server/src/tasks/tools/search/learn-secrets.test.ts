// The secrets of files on disk, as in a repository, that no tool has read before a command prints a part of them.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { createMemoryWorkspace, createTestMask, TEST_OWNER } from '@cowrie/testkit/tasks/memory-workspace.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { learnSecretFiles, learnSecrets } from './learn-secrets.ts'

const SECRET = planted('named-value').secret
const FILES = {
  'src/config.js': planted('named-value').text,
  'src/old.js': planted('quoted-password').text,
  '.env': 'BILLING_CODE=Zx81-kilo-9922-tango\n',
}
const large = new Map([['data.txt', { bytes: 9 << 20 }]])
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'learn-'))
  mkdirSync(join(folder, 'src'))
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text)
  writeFileSync(join(folder, 'data.txt'), 'a')
  truncateSync(join(folder, 'data.txt'), 9 << 20)
})
afterAll(() => rmSync(folder, { recursive: true }))

const signal = new AbortController().signal
const onDisk = () =>
  new Map([
    ...Object.entries(FILES).map(([path, { length }]) => [path, { bytes: length }] as const),
    ...large,
  ])

test('secrets of files, of their earlier state and of changes are hidden in what a command prints', async () => {
  const workspace = createMemoryWorkspace({}, { folder, onDisk: onDisk() })
  const added = planted('github').secret
  workspace.apply([
    { path: 'src/old.js', content: 'export const password = undefined\n' },
    { path: 'src/new.js', content: `export const token = '${added}'\n` },
  ])
  const mask = createTestMask()
  await learnSecretFiles(workspace, mask)
  const printed = [SECRET, planted('quoted-password').secret, added, 'Zx81-kilo-9922-tango']
  const show = async () => (await mask.hideOutput('output of run', printed.join('\n'))).text
  expect((await show()).split('\n').slice(0, 2)).toEqual(printed.slice(0, 2))
  await learnSecrets({ workspace, mask, orgId: TEST_OWNER, signal })
  for (const value of printed) expect(await show()).not.toContain(value)
  expect(mask.withheld).toContainEqual({
    path: 'data.txt',
    reason: expect.stringContaining('not examined for secrets'),
  })
})

test('another turn on the same commit learns the same without reading the files', async () => {
  const workspace = createMemoryWorkspace({}, { folder, onDisk: onDisk() })
  await learnSecrets({ workspace, mask: createTestMask(), orgId: TEST_OWNER, signal })
  writeFileSync(join(folder, 'src/config.js'), '')
  const mask = createTestMask()
  await learnSecrets({ workspace, mask, orgId: TEST_OWNER, signal })
  expect((await mask.hideOutput('output of run', SECRET)).text).not.toContain(SECRET)
})

test('a command that is stopped does not wait for the files', async () => {
  const workspace = createMemoryWorkspace({}, { folder, onDisk: onDisk() })
  const stopped = AbortSignal.abort(new Error('stopped'))
  const context = { workspace, mask: createTestMask(), orgId: TEST_OWNER, signal: stopped }
  workspace.apply([{ path: 'src/new.js', content: 'export {}\n' }])
  await expect(learnSecrets(context)).rejects.toThrow('stopped')
})
