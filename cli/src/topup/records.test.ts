import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TopupRecords } from './records.ts'

let state: string
let notes: TopupRecords

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'cowrie-notes-'))
  notes = new TopupRecords(state)
})
afterEach(() => rm(state, { recursive: true, force: true }))

const at = (time: string) => new Date(`2026-11-15T${time}Z`)
const WISH = 'http://cowrie.test org_1 50000 mpesa 0712345678'
const TOLD = { ussdCode: '*737#', expiresAt: '2026-11-16T09:00:00.000Z' }
const files = async () => (await readdir(join(state, 'topups'))).map((name) => join(state, 'topups', name))

test('a wish has one key for an hour, until it is decided', async () => {
  const first = await notes.keyFor(WISH, at('09:00:00'))
  expect(first).toEqual({ key: expect.stringMatching(/^cli_[0-9a-f]{32}$/), isAgain: false })
  expect(await notes.keyFor(WISH, at('09:59:59'))).toEqual({ key: first.key, isAgain: true })
  const later = await notes.keyFor(WISH, at('10:00:00'))
  expect(later).toMatchObject({ isAgain: false })
  expect(later.key).not.toBe(first.key)
  await notes.decided(WISH)
  expect((await notes.keyFor(WISH, at('10:00:01'))).key).not.toBe(later.key)
})

test('another wish has another key', async () => {
  const { key } = await notes.keyFor(WISH, at('09:00:00'))
  expect((await notes.keyFor(`${WISH}9`, at('09:00:00'))).key).not.toBe(key)
})

test('what is written is for nobody else to read, and names no phone', async () => {
  await notes.keyFor(WISH, at('09:00:00'))
  const [path = ''] = await files()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(path + (await readFile(path, 'utf8'))).not.toContain('0712345678')
})

test('what the payer was told is kept until the money is there', async () => {
  await notes.tell('tp1', TOLD)
  expect(await new TopupRecords(state).told('tp1')).toEqual(TOLD)
  expect(await notes.told('../tp1')).toBeNull()
  await notes.forget('tp1')
  expect(await notes.told('tp1')).toBeNull()
})

test('a damaged note is as good as none', async () => {
  const { key } = await notes.keyFor(WISH, at('09:00:00'))
  const [path = ''] = await files()
  await writeFile(path, '{"key":')
  expect(await notes.keyFor(WISH, at('09:00:01'))).toMatchObject({ isAgain: false })
  expect((await notes.keyFor(WISH, at('09:00:02'))).key).not.toBe(key)
})

test('notes older than every payment are discarded', async () => {
  await notes.tell('tp1', TOLD)
  const [path = ''] = await files()
  await utimes(path, at('09:00:00'), new Date(Date.now() - 5 * 24 * 3_600_000))
  await notes.tell('tp2', TOLD)
  expect(await notes.told('tp1')).toBeNull()
  expect(await notes.told('tp2')).toEqual(TOLD)
})

test('where nothing can be written, it says so before anything is sent', async () => {
  await writeFile(join(state, 'topups'), 'a file')
  await expect(notes.keyFor(WISH, at('09:00:00'))).rejects.toMatchObject({ code: 'notes_unwritable' })
})
