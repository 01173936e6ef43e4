import type { TaskEvent } from '@cowrie/sdk'
import { expect, test } from 'vitest'
import { addEvents, NO_EVENTS, withHistory } from './task-log.ts'

let seq = 0
const event = (fields: object, turnId: string | null = 'trn_1') =>
  ({ seq: ++seq, at: '2026-11-18T08:00:00.000Z', turnId, ...fields }) as TaskEvent

test('text is joined by step, and a newer attempt replaces it', () => {
  const log = addEvents(NO_EVENTS, [
    event({ kind: 'message', step: 1, attempt: 1, text: 'Hal' }),
    event({ kind: 'message', step: 1, attempt: 1, text: 'f' }),
    event({ kind: 'message', step: 1, attempt: 2, text: 'Who' }),
    event({ kind: 'message', step: 1, attempt: 2, text: 'le' }),
    event({ kind: 'message', step: 1, attempt: 1, text: 'late' }),
    event({ kind: 'reasoning', step: 1, attempt: 2, text: 'because' }),
  ])
  expect(log.turns.get('trn_1')?.items).toMatchObject([
    { text: 'Whole', isReasoning: false },
    { text: 'because', isReasoning: true },
  ])
})

test('a call is one item from its start to its result', () => {
  const call = { step: 2, callId: 'call_1_2', tool: 'edit', input: { path: 'a.js' } }
  const waiting = addEvents(NO_EVENTS, [
    event({ kind: 'needs_approval', ...call, approvalId: 'call_1_2', reason: 'It runs by itself.' }),
  ])
  expect(waiting.turns.get('trn_1')?.items).toMatchObject([
    { state: 'approval', reason: 'It runs by itself.' },
  ])
  const done = addEvents(waiting, [
    event({ kind: 'change', step: 2, path: 'a.js', action: 'create', added: 3, removed: 0 }),
    event({ kind: 'change', step: 2, path: 'a.js', action: 'update', added: 1, removed: 2 }),
    event({ kind: 'tool_result', ...call, ok: true, output: 'done', isTruncated: false }),
    event({ kind: 'cost', step: 3, costMinor: 40n, spentMinor: 90n, model: 'small-1', tokens: 12 }),
  ]).turns.get('trn_1')
  expect(done?.items).toMatchObject([{ state: 'ok', output: 'done', input: { path: 'a.js' } }])
  expect([...(done?.changes ?? [])]).toEqual([['a.js', { action: 'update', added: 4, removed: 2 }]])
  expect(done?.spentMinor).toBe(90n)
})

test('the phase follows the status, and the end clears it', () => {
  const verifying = addEvents(NO_EVENTS, [
    event({ kind: 'status', status: 'queued' }),
    event({ kind: 'status', status: 'running', note: 'verifying' }),
  ])
  expect(verifying.turns.get('trn_1')?.phase).toBe('verifying')
  const ended = addEvents(verifying, [event({ kind: 'status', status: 'finished', spentMinor: 7n })])
  expect(ended.turns.get('trn_1')).toMatchObject({ phase: null, spentMinor: 7n })
})

test('a restored state is named until the next turn, and history does not replace newer events', () => {
  const restored = addEvents(NO_EVENTS, [
    event({ kind: 'status', status: 'finished', note: 'reverted', detail: 'trn_1' }, null),
  ])
  expect(restored.revertedTo).toBe('trn_1')
  const live = addEvents(restored, [event({ kind: 'status', status: 'queued' }, 'trn_2')])
  expect(live.revertedTo).toBeNull()
  const whole = withHistory(live, [
    event({ kind: 'message', step: 1, attempt: 1, text: 'Earlier.' }),
    event({ kind: 'message', step: 1, attempt: 1, text: 'Known.' }, 'trn_2'),
  ])
  expect(whole.turns.get('trn_1')?.items).toHaveLength(1)
  expect(whole.turns.get('trn_2')?.items).toEqual([])
})
