import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { afterEach, expect, test } from 'vitest'
import { isLocked, takeLock } from './lock.ts'

const folder = scratchFolder()
const path = join(folder, 'session.lock')
afterEach(() => rmSync(path, { force: true }))

const write = (holder: object) =>
  writeFileSync(
    path,
    JSON.stringify({ pid: process.pid, host: hostname(), nonce: 'other', startedAt: null, ...holder }),
  )

test('a session is open once, and again after its release', async () => {
  const lock = await takeLock(path)
  expect(isLocked(path)).toBe(true)
  await expect(takeLock(path)).rejects.toMatchObject({ code: 'session_busy' })
  lock.check()
  lock.release()
  expect(isLocked(path)).toBe(false)
  ;(await takeLock(path)).release()
})

test('of many that start at once, one gets it, also over a stale lock', async () => {
  write({})
  const taken = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(path)))
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const each of taken) if (each.status === 'fulfilled') each.value.release()
})

test('the lock of a process that is gone is taken over, that of a living one is not', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
  write({ pid: child.pid })
  await expect(takeLock(path)).rejects.toMatchObject({
    message: `This session is open in another terminal (process ${child.pid} on ${hostname()}).`,
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  ;(await takeLock(path)).release()
})

test.runIf(process.platform === 'linux')(
  'another process with the same id does not hold the lock',
  async () => {
    write({ pid: process.ppid, startedAt: 'another boot 12' })
    ;(await takeLock(path)).release()
  },
)

test('the lock of another computer holds until it was not renewed for long', async () => {
  write({ host: 'elsewhere' })
  await expect(takeLock(path)).rejects.toMatchObject({ code: 'session_busy' })
  const old = new Date(Date.now() - 11 * 60_000)
  utimesSync(path, old, old)
  ;(await takeLock(path)).release()
})

test('a damaged lock counts for a moment only', async () => {
  writeFileSync(path, '{')
  await expect(takeLock(path)).rejects.toMatchObject({ code: 'session_busy' })
  const old = new Date(Date.now() - 60_000)
  utimesSync(path, old, old)
  ;(await takeLock(path)).release()
})

test('a process that lost its lock gets an error, and does not remove that of another', async () => {
  const lock = await takeLock(path)
  write({ pid: 1 })
  expect(() => lock.check()).toThrow('This session is open in another terminal')
  lock.release()
  expect(readFileSync(path, 'utf8')).toContain('"pid":1')
})
