import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TopupRecords } from './records.ts'

let state: string
let records: TopupRecords

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'cowrie-records-'))
  records = new TopupRecords(state)
})
afterEach(() => rm(state, { recursive: true, force: true }))

const at = (time: string) => new Date(`2026-11-15T${time}Z`)
const REQUEST = 'http://cowrie.test org_1 50000 mpesa 0712345678'
const INSTRUCTIONS = { ussdCode: '*737#', expiresAt: '2026-11-16T09:00:00.000Z' }
const files = async () => (await readdir(join(state, 'topups'))).map((name) => join(state, 'topups', name))

test('a top-up request keeps its key for an hour, until it is decided', async () => {
  const first = await records.keyFor(REQUEST, at('09:00:00'))
  expect(first).toEqual({ key: expect.stringMatching(/^cli_[0-9a-f]{32}$/), isAgain: false })
  expect(await records.keyFor(REQUEST, at('09:59:59'))).toEqual({ key: first.key, isAgain: true })
  const later = await records.keyFor(REQUEST, at('10:00:00'))
  expect(later).toMatchObject({ isAgain: false })
  expect(later.key).not.toBe(first.key)
  await records.removeKey(REQUEST)
  expect((await records.keyFor(REQUEST, at('10:00:01'))).key).not.toBe(later.key)
})

test('a different request has a different key', async () => {
  const { key } = await records.keyFor(REQUEST, at('09:00:00'))
  expect((await records.keyFor(`${REQUEST}9`, at('09:00:00'))).key).not.toBe(key)
})

test('records are readable only by their owner and contain no phone number', async () => {
  await records.keyFor(REQUEST, at('09:00:00'))
  const [path = ''] = await files()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(path + (await readFile(path, 'utf8'))).not.toContain('0712345678')
})

test('payer instructions are stored until the payment settles', async () => {
  await records.saveInstructions('tp1', INSTRUCTIONS)
  expect(await new TopupRecords(state).readInstructions('tp1')).toEqual(INSTRUCTIONS)
  expect(await records.readInstructions('../tp1')).toBeNull()
  await records.removeInstructions('tp1')
  expect(await records.readInstructions('tp1')).toBeNull()
})

test('a damaged record is ignored', async () => {
  const { key } = await records.keyFor(REQUEST, at('09:00:00'))
  const [path = ''] = await files()
  await writeFile(path, '{"key":')
  expect(await records.keyFor(REQUEST, at('09:00:01'))).toMatchObject({ isAgain: false })
  expect((await records.keyFor(REQUEST, at('09:00:02'))).key).not.toBe(key)
})

test('records older than every payment are discarded', async () => {
  await records.saveInstructions('tp1', INSTRUCTIONS)
  const [path = ''] = await files()
  await utimes(path, at('09:00:00'), new Date(Date.now() - 5 * 24 * 3_600_000))
  await records.saveInstructions('tp2', INSTRUCTIONS)
  expect(await records.readInstructions('tp1')).toBeNull()
  expect(await records.readInstructions('tp2')).toEqual(INSTRUCTIONS)
})

test('without a writable folder there is an error before anything is sent', async () => {
  await writeFile(join(state, 'topups'), 'a file')
  await expect(records.keyFor(REQUEST, at('09:00:00'))).rejects.toMatchObject({ code: 'notes_unwritable' })
})
