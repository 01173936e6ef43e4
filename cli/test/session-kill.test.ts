// A session whose process is killed at any moment: the next one continues, nothing runs twice and nothing is paid twice.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listSessions } from '../src/session/stored.ts'
import { collect, turn } from './session-place.ts'
import { createTestToolbox } from './session-tools.ts'
import { type SessionWorld, startSessionWorld } from './session-world.ts'

const PROMPT = 'Write b and run the tests.'
const ANSWERS = 4
/** Killed before the turn was stored, the next process knows nothing of it. */
const CREATED = 'after POST /tasks'
/** The steps of the daily test: around each thing that is stored, sent or run. */
const DAILY = [
  'before POST /tasks/id/turns',
  'after POST /tasks/id/turns',
  'after create',
  'before run',
  'after POST /tasks/id/tool-results',
]

let stage: SessionWorld
let ada: Person
beforeAll(async () => {
  stage = await startSessionWorld()
  ada = await stage.world.customer()
  stage.world.upstream.fallback(
    byStep(
      calls(['read', { path: 'a.txt' }], ['list', {}]),
      calls(['create', { path: 'b.txt', content: 'b' }], ['run', { command: 'first' }]),
      calls(['run', { command: 'second' }]),
      'Done.',
    ),
  )
})
afterAll(() => stage.close())

type Step = { readonly step: number; readonly name: string }

/** Runs the turn in a separate process. Returns the steps up to the kill. */
async function runChild(home: string, killAt: number): Promise<Step[]> {
  const child = fork(join(import.meta.dirname, 'session-child.ts'), {
    env: {
      ...process.env,
      SESSION_URL: stage.url,
      SESSION_KEY: ada.bearer,
      SESSION_HOME: home,
      SESSION_PROMPT: PROMPT,
      SESSION_KILL_AT: String(killAt),
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const steps: Step[] = []
  child.on('message', (message) => steps.push(message as Step))
  const [code, signal] = await once(child, 'exit')
  expect([code, signal]).toEqual(killAt === 0 ? [0, null] : [null, 'SIGKILL'])
  return steps
}

test('a session that is killed at any step is continued by the next process, once', async () => {
  const whole = await runChild(stage.place().home, 0)
  const created = whole.find(({ name }) => name === CREATED)?.step ?? 0
  const chosen = isSoak
    ? whole.filter(({ step }) => step > created)
    : DAILY.map((wanted) => whole.find(({ name }) => name === wanted) as Step)
  for (const { step, name } of chosen) await killAndContinue(step, name)
})

async function killAndContinue(step: number, name: string): Promise<void> {
  const { upstream, read } = stage.world
  const before = upstream.requests.length
  const place = stage.place()
  await runChild(place.home, step)
  const { sessions, damaged } = await listSessions({ state: place.state }, place.root)
  expect(damaged, name).toEqual([])
  const [stored] = sessions
  expect(stored, name).toMatchObject({ isBusy: false })
  const toolbox = createTestToolbox(place.root)
  const session = await stage.open(place, ada, toolbox, { taskId: stored?.taskId })
  expect(session.notices, name).toEqual([])
  const isOver = (await read(ada, session.taskId)).turns.at(-1)?.status === 'finished'
  if (session.openTurnId !== null || !isOver) {
    const outcome = await session.runTurn(session.openTurnId === null ? turn(PROMPT) : null, collect())
    expect(outcome, name).toMatchObject({ stopReason: 'completed', summary: 'Done.' })
  }
  const task = await read(ada, session.taskId)
  expect(task.turns, name).toMatchObject([{ stopReason: 'completed' }])
  expect(session.meter.spentMinor, name).toBe(task.spentMinor)
  // Each step was asked once, so each was paid once.
  expect(upstream.requests.length - before, name).toBe(ANSWERS)
  expect(place.lines('edits.txt'), name).toHaveLength(1)
  expect(place.lines('ran.txt'), name).toEqual(['first', 'second'])
  await session.close()
  rmSync(place.home, { recursive: true, force: true })
}
