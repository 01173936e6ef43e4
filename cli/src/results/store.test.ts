import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RESULT } from '../../test/results.ts'
import { findPaths, type Paths } from '../system/paths.ts'
import { createResult, readResult, readResults, removeResult, resultsFolder, writeResult } from './store.ts'

let home: string
let paths: Paths
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cowrie-store-'))
  paths = findPaths({ HOME: home }, home, undefined)
})
afterEach(() => rm(home, { recursive: true, force: true }))

const { id: _, ...FRESH } = RESULT
const folder = () => resultsFolder(paths) ?? ''

test('a stored result is read back exactly, and only its owner can read the file', async () => {
  const stored = await createResult(paths, FRESH)
  expect(stored.id).toMatch(/^[2-9a-z]{4}$/)
  expect(await readResult(paths, stored.id)).toEqual({ ...FRESH, id: stored.id })
  const [file = ''] = await readdir(folder())
  expect((await stat(join(folder(), file))).mode & 0o777).toBe(0o600)
  expect((await stat(folder())).mode & 0o777).toBe(0o700)
})

test('results are stored below .git in a repository, otherwise in the state folder of the user', async () => {
  expect(folder()).toBe(join(home, '.local/state/cowrie/results'))
  await mkdir(join(home, 'repo', '.git'), { recursive: true })
  expect(resultsFolder(findPaths({ HOME: home }, join(home, 'repo'), undefined))).toBe(
    join(home, 'repo', '.git', 'cowrie', 'results'),
  )
})

test('the newest result comes first and is "last"', async () => {
  const ids = []
  for (const prompt of ['one', 'two', 'three'])
    ids.unshift((await createResult(paths, { ...FRESH, prompt })).id)
  expect((await readResults(paths)).map(({ id }) => id)).toEqual(ids)
  expect(await readResult(paths, 'last')).toMatchObject({ prompt: 'three' })
  expect(await readResults(paths, 1)).toMatchObject([{ prompt: 'three' }])
})

test('a result is updated under its id', async () => {
  const stored = await createResult(paths, { ...FRESH, state: 'sent' })
  await createResult(paths, FRESH)
  await writeResult(paths, { ...stored, state: 'done' })
  expect(await readResult(paths, stored.id)).toMatchObject({ state: 'done' })
  expect(await readdir(folder())).toHaveLength(2)
})

test('a damaged file is listed as damaged, affects no other result and can be removed', async () => {
  const stored = await createResult(paths, FRESH)
  for (const [id, text] of [
    ['aaaa', ''],
    ['bbbb', '{"id":"bbbb"}'],
    ['cccc', '{"id":'],
  ])
    await writeFile(join(folder(), `000002-${id}.json`), text ?? '')
  expect(await readResults(paths)).toEqual([
    { id: 'aaaa', state: 'damaged' },
    { id: 'bbbb', state: 'damaged' },
    { id: 'cccc', state: 'damaged' },
    stored,
  ])
  await expect(readResult(paths, 'aaaa')).rejects.toThrow('aaaa is damaged')
  expect(await removeResult(paths, 'aaaa')).toBe('aaaa')
  await expect(readResult(paths, 'aaaa')).rejects.toThrow('There is no result "aaaa" here.')
})

test('results beyond two hundred are deleted, oldest first, along with temporary files of crashes', async () => {
  await mkdir(folder(), { recursive: true })
  for (let number = 1; number <= 200; number++)
    await writeFile(join(folder(), `${String(number).padStart(6, '0')}-aaaa.json`), '')
  const draft = join(folder(), '000001-aaaa.json.00000000.draft')
  await writeFile(draft, '')
  await utimes(draft, 0, 0)
  await createResult(paths, FRESH)
  const files = (await readdir(folder())).sort()
  expect(files).toHaveLength(200)
  expect(files[0]).toBe('000002-aaaa.json')
})

test('without a writable folder there is an error', async () => {
  await expect(createResult(findPaths({}, home, undefined), FRESH)).rejects.toThrow(
    'No folder is available for results.',
  )
  await mkdir(join(home, '.local/state'), { recursive: true })
  await writeFile(join(home, '.local/state/cowrie'), '')
  await expect(createResult(paths, FRESH)).rejects.toThrow('cannot be written')
})
