// The changes of a command until its process died, found by the next process.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../../test/repository.ts'
import { openSnapshots, type Snapshots } from './snapshot.ts'

const HOUR_MS = 3_600_000

let repo: TestRepository
let folder: string
beforeEach(() => {
  repo = makeRepository({ 'kept.txt': 'kept\n', 'gone.txt': 'gone\n', 'mine.txt': 'mine\n' })
  folder = mkdtempSync(join(tmpdir(), 'cowrie-snapshots-'))
})
afterEach(() => {
  repo.remove()
  rmSync(folder, { recursive: true, force: true })
})

const open = (): Snapshots => {
  const env = { PATH: process.env.PATH, HOME: folder }
  return openSnapshots(repo.root, join(repo.root, '.git'), folder, env)
}

test('the changes of a command are known after the process died, and later changes of the user are not among them', async () => {
  const first = await open().take('call_1')
  repo.write({ 'kept.txt': 'changed\n', 'new.txt': 'new\n' })
  // The process dies here: `changes` is never called.
  expect(first).not.toBeNull()
  repo.write({ 'mine.txt': 'edited by hand\n' })
  const later = new Date(Date.now() + HOUR_MS)
  utimesSync(join(repo.root, 'mine.txt'), later, later)

  const next = open()
  expect(await next.recover('call_2')).toBeNull()
  expect(await next.recover('call_1')).toMatchObject({
    steps: [
      { path: 'kept.txt', before: { text: 'kept\n' }, after: { text: 'changed\n' } },
      { path: 'new.txt', before: null, after: { text: 'new\n' } },
    ],
    uncovered: ['mine.txt'],
  })
})

test('a lock that a killed git left, and a damaged record, are no obstacle', async () => {
  await open().take('call_1')
  rmSync(join(repo.root, 'gone.txt'))
  writeFileSync(join(folder, 'snapshot.git', 'index.lock'), '')
  expect(await open().recover('call_1')).toMatchObject({
    steps: [{ path: 'gone.txt', before: { text: 'gone\n' }, after: null }],
  })
  writeFileSync(join(folder, 'snapshot.git', 'pending.json'), '{"callId":"call_1"')
  const next = open()
  expect(await next.recover('call_1')).toBeNull()
  expect(await next.take('call_3')).not.toBeNull()
})
