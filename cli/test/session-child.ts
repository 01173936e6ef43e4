// A process with one turn of a session that kills itself at the given step: the start or the end of a request, or of a call.
import { createClient } from '@cowrie/sdk'
import { openSession } from '../src/session/open-session.ts'
import { createTransport } from '../src/session/transport.ts'
import { collect, placeIn, turn } from './session-place.ts'
import { createTestToolbox } from './session-tools.ts'

const { SESSION_URL = '', SESSION_KEY = '', SESSION_HOME = '', SESSION_PROMPT = '' } = process.env
const killAt = Number(process.env.SESSION_KILL_AT ?? 0)

let steps = 0
function step(name: string): void {
  steps++
  process.send?.({ step: steps, name })
  if (steps === killAt) process.kill(process.pid, 'SIGKILL')
}

const place = placeIn(SESSION_HOME)
const transport = createTransport()
const fetch: typeof globalThis.fetch = async (input, init) => {
  const name = `${init?.method} ${new URL(String(input)).pathname.replace(/tsk_\w+/, 'id')}`
  step(`before ${name}`)
  const reply = await transport.fetch(input, init)
  step(`after ${name}`)
  return reply
}
const toolbox = createTestToolbox(place.root, { during: async ({ tool }) => step(`before ${tool}`) })
const { run } = toolbox
toolbox.run = async (call, options) => {
  const report = await run(call, options)
  step(`after ${call.tool}`)
  return report
}

const session = await openSession({
  client: createClient({ baseUrl: SESSION_URL, key: SESSION_KEY, fetch }),
  toolbox,
  root: place.root,
  paths: { state: place.state },
  model: null,
  budgetMinor: 90_000n,
  workspaceName: 'a laptop',
  isDataSaver: false,
  bytes: transport.bytes,
})
await session.runTurn(turn(SESSION_PROMPT), collect())
step('end of the turn')
await session.close()
transport.close()
process.disconnect?.()
