// The overhead of turns without the model: a turn of n model calls against the same n calls through `/v1`, and against the fake model alone.
import { present } from '../../src/kernel/assert.ts'
import { median, type Server } from '../http/rounds.ts'
import type { Usage } from '../processes.ts'
import type { ModelRequests, ScriptedCall } from './model-process.ts'
import type { FollowedTask } from './task-client.ts'
import type { TaskBench } from './world.ts'

/** Times per model call. */
export type CallTimes = { readonly wallMs: number; readonly cpuMs: number }
export type TurnRow = {
  readonly name: string
  readonly calls: number
  readonly turn: CallTimes
  readonly v1: CallTimes
  readonly modelMs: number
}

const SHORT_CALLS = 12
const LONG_CALLS = 20
const LONG_TURNS = 20
const FILES = 60
const fileOf = (i: number): string => `src/part${i % FILES}.js`
const FILE = `${'export const line = "about as long as a line of code mostly is"\n'.repeat(16)}`
const TURN_FILES = Array.from({ length: FILES }, (_, i) => ({
  path: fileOf(i),
  content: `export const part${i} = ${i}\n${FILE}`,
}))

/** Each answer but the last asks for one tool: three reads, then an edit. */
const scriptOf = (calls: number, start: number): ScriptedCall[][] =>
  Array.from({ length: calls - 1 }, (_, i) => [callOf(start + i)])

function callOf(i: number): ScriptedCall {
  if (i % 4 !== 3) return ['read', { path: fileOf(i) }]
  return ['create', { path: `notes/note${i}.txt`, content: `${i}\n`, overwrite: true }]
}

export async function benchTurns(bench: TaskBench, isQuick: boolean): Promise<TurnRow[]> {
  const rows = [await shortTurns(bench, 1, isQuick), await shortTurns(bench, SHORT_CALLS, isQuick)]
  return [...rows, ...(await longTask(bench, isQuick ? 5 : LONG_TURNS))]
}

async function shortTurns(bench: TaskBench, calls: number, isQuick: boolean): Promise<TurnRow> {
  const rounds: Omit<TurnRow, 'name'>[] = []
  for (let round = 0; round <= (isQuick ? 3 : 10); round++) {
    const task = await bench.client.create({ kind: 'files', files: TURN_FILES })
    const figures = await measureTurn(bench, task, calls, 0)
    task.close()
    // The first round warms up.
    if (round > 0) rounds.push(figures)
  }
  return middle(`a turn of ${calls} model ${calls === 1 ? 'call' : 'calls'}`, rounds)
}

/** The first and the last turns of one task. */
async function longTask(bench: TaskBench, turns: number): Promise<TurnRow[]> {
  const task = await bench.client.create({ kind: 'files', files: TURN_FILES })
  const rounds: Omit<TurnRow, 'name'>[] = []
  for (let turn = 0; turn < turns; turn++)
    rounds.push(await measureTurn(bench, task, LONG_CALLS, turn * LONG_CALLS))
  task.close()
  return [
    middle(`turns 1 to 3 of a task, ${LONG_CALLS} calls each`, rounds.slice(0, 3)),
    middle(`turns ${turns - 2} to ${turns}`, rounds.slice(-3)),
  ]
}

async function measureTurn(
  { service, model, caller }: TaskBench,
  task: FollowedTask,
  calls: number,
  start: number,
): Promise<Omit<TurnRow, 'name'>> {
  await model.process.ask({ script: scriptOf(calls, start) })
  const turn = await measured(service, calls, () => task.turn(`Do part ${start}.`))
  const { bodies } = await model.process.ask<ModelRequests>('requests')
  if (bodies.length !== calls)
    throw new Error(`the model was asked ${bodies.length} times instead of ${calls}`)
  const open = bodies.map((body) => JSON.stringify({ ...JSON.parse(body), model: 'open' }))
  const v1 = await measured(service, calls, () => askAll(service, open, caller.bearer))
  const { wallMs: modelMs } = await measured(model, calls, () => askAll(model, bodies, 'anything'))
  return { calls, turn, v1, modelMs }
}

async function measured(server: Server, calls: number, work: () => Promise<void>): Promise<CallTimes> {
  const before = await server.process.ask<Usage>('usage')
  const startedAt = performance.now()
  await work()
  const wallMs = (performance.now() - startedAt) / calls
  const after = await server.process.ask<Usage>('usage')
  return { wallMs, cpuMs: (after.cpuMicros - before.cpuMicros) / 1_000 / calls }
}

async function askAll({ port }: Server, bodies: readonly string[], bearer: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }
  for (const body of bodies) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body,
    })
    const reply = await response.text()
    if (response.status !== 200) throw new Error(`the model call failed: ${reply.slice(0, 500)}`)
  }
}

function middle(name: string, rounds: readonly Omit<TurnRow, 'name'>[]): TurnRow {
  const of = (value: (row: Omit<TurnRow, 'name'>) => number) => median(rounds.map(value))
  const times = (side: 'turn' | 'v1') => ({
    wallMs: of((row) => row[side].wallMs),
    cpuMs: of((row) => row[side].cpuMs),
  })
  const { calls } = present(rounds[0], 'something was measured')
  return { name, calls, turn: times('turn'), v1: times('v1'), modelMs: of(({ modelMs }) => modelMs) }
}
