import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskEvent } from '@cowrie/sdk'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { afterEach, expect, test } from 'vitest'
import { createTestToolbox } from '../../test/session-tools.ts'
import { openCallLog } from './call-log.ts'
import { createConnection } from './connection.ts'
import { type FollowOptions, followTurn } from './follow-turn.ts'
import { openKnownResults } from './known-results.ts'
import type { SentResult, TaskService } from './service.ts'
import type { SessionEvent } from './types.ts'

const folder = scratchFolder()
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const TURN = 'trn_1'
const END = { kind: 'status', status: 'finished', stopReason: 'completed', summary: 'Done.' }

/** A service whose turn consists of these events. The end comes when all awaited requests have come. */
function scripted(events: readonly object[], awaited: number) {
  const sent: unknown[] = []
  let arrived: () => void = () => undefined
  const all = new Promise<void>((resolve) => {
    arrived = () => void (sent.length >= awaited && resolve())
  })
  const take = (request: unknown) => {
    sent.push(request)
    arrived()
  }
  const service: Partial<TaskService> = {
    async *stream() {
      let seq = 0
      for (const event of events) yield { seq: ++seq, at: '', turnId: TURN, ...event } as TaskEvent
      if (awaited > 0) await all
      yield { seq: ++seq, at: '', turnId: TURN, ...END } as TaskEvent
    },
    async results(_, results) {
      take(results)
      return { accepted: results.map(({ callId }) => callId), ignored: [] }
    },
    approve: async (_, approvalId, allow) => take({ approvalId, allow }),
    input: async () => ({ path: 'large.txt' }),
  }
  return { service: service as TaskService, sent }
}

async function follow(events: readonly object[], awaited: number, more: Partial<FollowOptions> = {}) {
  const { service, sent } = scripted(events, awaited)
  const shown: SessionEvent[] = []
  const toolbox = createTestToolbox(folder)
  const end = await followTurn({
    taskId: 'tsk_1',
    turnId: TURN,
    service,
    connection: createConnection(() => undefined),
    toolbox,
    log: openCallLog(join(folder, 'calls')),
    known: openKnownResults(join(folder, 'results')),
    decide: async () => ({ allow: true }),
    onEvent: (event) => shown.push(event),
    signal: new AbortController().signal,
    closed: new AbortController().signal,
    seq: 0,
    needs: null,
    isStopWanted: false,
    onHandled: () => undefined,
    onStop: async () => undefined,
    ...more,
  })
  return { end, shown, sent, toolbox }
}

const needs = (callId: string, tool: string, more: object = {}) => ({
  kind: 'needs_tool',
  step: 2,
  callId,
  tool,
  input: {},
  ...more,
})
const WAITING = { kind: 'status', status: 'waiting' }

test('the text of a new attempt replaces that of the earlier one', async () => {
  const piece = (attempt: number, text: string) => ({ kind: 'message', step: 1, attempt, text })
  const { shown } = await follow([piece(1, 'Hel'), piece(1, 'lo'), piece(2, 'Hi'), piece(2, '!')], 0)
  expect(shown).toEqual([
    { kind: 'text', step: 1, isNew: true, text: 'Hel' },
    { kind: 'text', step: 1, isNew: false, text: 'lo' },
    { kind: 'text', step: 1, isNew: true, text: 'Hi' },
    { kind: 'text', step: 1, isNew: false, text: '!' },
  ])
})

test.for([true, false])(
  'an approval that the service needs is asked for here (allowed: %s)',
  async (allow) => {
    const asked: string[] = []
    const event = {
      ...needs('call_1_2', 'create', { input: { path: '.github/workflows/ci.yml' } }),
      kind: 'needs_approval',
      approvalId: 'call_1_2',
      reason: 'It runs by itself.',
    }
    const { sent } = await follow([event], 1, {
      decide: async (_, { subject, preview }) => {
        asked.push(subject, ...preview.map(String))
        return allow ? { allow } : { allow, reason: '' }
      },
    })
    expect(asked).toEqual(['.github/workflows/ci.yml', 'It runs by itself.'])
    expect(sent).toEqual([{ approvalId: 'call_1_2', allow }])
  },
)

test('the input of a large call is read from the service', async () => {
  const omitted = needs('call_1_2', 'read', { input: null, isInputOmitted: true })
  const { shown } = await follow([omitted, WAITING], 1)
  expect(shown[0]).toMatchObject({ kind: 'call', call: { input: { path: 'large.txt' } } })
})

test('the results of one answer are sent in one request', async () => {
  const { sent } = await follow(
    [
      needs('call_1_2', 'read'),
      needs('call_1_3', 'list'),
      needs('call_1_4', 'create', { input: { path: 'x' } }),
      WAITING,
    ],
    1,
  )
  expect(sent).toHaveLength(1)
  expect((sent[0] as SentResult[]).map(({ callId }) => callId).toSorted()).toEqual([
    'call_1_2',
    'call_1_3',
    'call_1_4',
  ])
})

test('a call that someone else has answered does not run', async () => {
  const answered = {
    kind: 'tool_result',
    step: 3,
    callId: 'call_1_3',
    tool: 'run',
    ok: true,
    output: '',
    isTruncated: false,
  }
  const { toolbox } = await follow(
    [needs('call_1_2', 'create', { input: { path: 'x' } }), needs('call_1_3', 'run'), answered, WAITING],
    1,
  )
  expect(toolbox.trace).toEqual(['+call_1_2', '-call_1_2'])
})

test('a tool that this computer does not have is answered', async () => {
  const { sent } = await follow([needs('call_1_2', 'fly'), WAITING], 1)
  expect(sent).toEqual([
    [{ callId: 'call_1_2', ok: false, output: 'This client does not offer the tool fly.' }],
  ])
})

test('calls before the last event that was read are not run again', async () => {
  const { toolbox } = await follow([needs('call_1_2', 'run'), needs('call_1_3', 'run'), WAITING], 1, {
    needs: {
      calls: [{ turnId: TURN, callId: 'call_1_3', kind: 'tool', tool: 'run', input: {} }],
      lastSeq: 2,
    },
  })
  expect(toolbox.trace).toEqual(['+call_1_3', '-call_1_3'])
})

test('notes of the service are shown', async () => {
  const note = (name: string) => ({ kind: 'status', status: 'running', note: name })
  const { shown, end } = await follow([note('compacted'), note('retrying'), note('preparing')], 0)
  expect(shown.map((event) => event.kind === 'note' && event.note)).toEqual(['compacted', 'retrying'])
  expect(end).toMatchObject({ event: { stopReason: 'completed', summary: 'Done.' }, unsent: [] })
})
