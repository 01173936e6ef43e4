// The list of stored sessions.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sessionFiles, sessionsFolder, writeDurably } from './session-files.ts'
import { type StoredState, UNUSED_STATE } from './state.ts'
import { listSessions } from './stored.ts'

const base = mkdtempSync(join(tmpdir(), 'stored-'))
afterAll(() => rmSync(base, { recursive: true }))
const paths = { state: join(base, 'state') }
const root = join(base, 'work')

const stateOf = (taskId: string, change: Partial<StoredState> = {}): StoredState => ({
  ...UNUSED_STATE,
  version: 1,
  taskId,
  root,
  title: 'Fix it.',
  currency: 'NGN',
  createdAt: '2026-11-18T10:00:00.000Z',
  usedAt: '2026-11-18T10:00:00.000Z',
  ...change,
})

test('a session whose message was sent without an answer is open, and each session names its service', async () => {
  mkdirSync(root)
  const folder = sessionsFolder(paths, root)
  const [asked, idle] = ['a', 'b'].map((letter) => `tsk_${letter.repeat(26)}`) as [string, string]
  await writeDurably(
    sessionFiles(folder, asked).state,
    stateOf(asked, { usedAt: '2026-11-18T11:00:00.000Z' }),
  )
  await writeDurably(sessionFiles(folder, idle).state, stateOf(idle, { baseUrl: 'https://cowrie.example' }))
  const { pendingTurn } = sessionFiles(folder, asked)
  mkdirSync(dirname(pendingTurn), { recursive: true })
  writeFileSync(pendingTurn, '{}')
  const { sessions } = await listSessions(paths, root)
  expect(sessions.map(({ taskId, isOpen, baseUrl }) => [taskId, isOpen, baseUrl])).toEqual([
    [asked, true, undefined],
    [idle, false, 'https://cowrie.example'],
  ])
})

test('a file of another version is no damaged file, and a session without a message is not listed', async () => {
  const other = join(base, 'other')
  mkdirSync(other)
  const folder = sessionsFolder(paths, other)
  const [older, later, unused] = ['c', 'd', 'e'].map((letter) => `tsk_${letter.repeat(26)}`) as [
    string,
    string,
    string,
  ]
  const { taskId, title, currency, version } = stateOf(older)
  await writeDurably(sessionFiles(folder, older).state, {
    version,
    taskId,
    root: other,
    title,
    currency,
    fieldOfLater: { x: 1 },
  })
  await writeDurably(sessionFiles(folder, later).state, { version: 2, taskId: later, parts: [] })
  await writeDurably(sessionFiles(folder, unused).state, stateOf(unused, { title: 'New task' }))
  const { sessions, damaged } = await listSessions(paths, other)
  expect(damaged).toEqual([])
  expect(sessions).toMatchObject([{ taskId: older, title: 'Fix it.', spentMinor: 0n, isOpen: false }])
})
