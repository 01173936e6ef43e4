// The overhead of a turn without the model, and the bytes that a client workspace uploads.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'

export type TurnFigures = {
  readonly steps: number
  /** The time of a whole turn, divided by its model calls. */
  readonly perStepMs: number
  /** The time of the same model calls without our engine. */
  readonly bareStepMs: number
  readonly clientTurns: number
  readonly uploadedPerTurnBytes: number
  /** What a client uploads that sends the whole conversation with each model call. */
  readonly wholePerTurnBytes: number
}

const STEPS = 12
const FILES = { 'src/a.js': 'export const a = 1\n'.repeat(200), 'README.md': '# Sums\n' }
const LONG_OUTPUT = 'export const a = 1\n'.repeat(200)

export async function benchTurns(isQuick: boolean): Promise<TurnFigures> {
  const sandbox = { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' }
  const world = await startTaskWorld({ variables: sandbox })
  try {
    const ada = await world.customer(1_000_000_000n)
    const overhead = await measureOverhead(world, ada, isQuick ? 5 : 20)
    return { ...overhead, ...(await measureUploads(world, ada, isQuick ? 10 : 30)) }
  } finally {
    await world.close()
  }
}

async function measureOverhead(world: TaskWorld, ada: Person, turns: number) {
  const edits = Array.from({ length: STEPS - 1 }, (_, n) =>
    calls(['create', { path: `f${n}.txt`, content: `${n}\n` }]),
  )
  world.upstream.fallback(byStep(...edits, 'Done.'))
  await oneTurn(world, ada)
  world.upstream.reset()
  world.upstream.fallback(byStep(...edits, 'Done.'))
  const startedAt = performance.now()
  for (let n = 0; n < turns; n++) await oneTurn(world, ada)
  const perStepMs = (performance.now() - startedAt) / (turns * STEPS)
  const asked = world.upstream.requests.slice(0, STEPS).map(({ body }) => JSON.stringify(body))
  const bareAt = performance.now()
  for (let n = 0; n < turns; n++)
    for (const body of asked) {
      const headers = { 'content-type': 'application/json' }
      await (await fetch(`${world.upstream.url}/chat/completions`, { method: 'POST', body, headers })).text()
    }
  return { steps: STEPS, perStepMs, bareStepMs: (performance.now() - bareAt) / (turns * STEPS) }
}

async function oneTurn(world: TaskWorld, ada: Person): Promise<void> {
  const task = await world.create(ada, FILES)
  const turn = await world.turn(ada, task)
  if (turn.stopReason !== 'completed') throw new Error(`the turn ended with ${turn.stopReason}`)
}

/** Each turn asks for three tools, whose results are new text. */
async function measureUploads(world: TaskWorld, ada: Person, turns: number) {
  let answers = 0
  let wholeBytes = 0
  world.upstream.fallback(({ body }) => {
    wholeBytes += Buffer.byteLength(JSON.stringify(body))
    return ++answers % 4 === 0 ? 'Done.' : calls(['read', { path: `src/${answers}.js` }])
  })
  const task = await world.create(ada, { kind: 'client', name: 'bench' })
  let uploaded = 0
  for (let n = 0; n < turns; n++) {
    const body = { prompt: `Do part ${n}.` }
    uploaded += Buffer.byteLength(JSON.stringify(body))
    await world.turn(ada, task, body)
    for (;;) {
      const { needs } = await world.read(ada, task)
      if (needs.length === 0) break
      const results = needs.map(({ callId }) => ({ callId, ok: true, output: `${callId}\n${LONG_OUTPUT}` }))
      uploaded += Buffer.byteLength(JSON.stringify({ results }))
      await world.server.call('POST', `/tasks/${task}/tool-results`, { as: ada, body: { results } })
      await world.perform()
    }
  }
  return {
    clientTurns: turns,
    uploadedPerTurnBytes: Math.round(uploaded / turns),
    wholePerTurnBytes: Math.round(wholeBytes / turns),
  }
}
