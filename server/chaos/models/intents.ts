// Random model requests of customers: a chat message, a run, a loop, or a completion of the OpenAI-compatible API.
import type { EventLog, Frame } from './event-log.ts'
import type { ObservedCharges } from './observed-charges.ts'
import { SLOWLY } from './upstream-answers.ts'

export type Intent = {
  readonly path: string
  readonly prompt: string
  readonly body: object
  readonly key: string | null
  /** The customer disconnects after this time. Null: never. */
  readonly leavesAfterMs: number | null
  /** Sends a stop request when this frame arrives. Null: never. */
  readonly stop: { readonly path: string; readonly atFrame: number } | null
  /** Records the cost in a final answer and returns the id of the paid work. Null if the answer is not final. */
  record(observed: ObservedCharges, log: EventLog): string | null
  /** Records costs in intermediate frames. */
  recordSteps(observed: ObservedCharges, frames: readonly Frame[]): void
}

export type IntentContext = {
  readonly bearer: string
  readonly name: string
  readonly thread: string
  readonly random: () => number
  readonly hasSandbox: boolean
}

export function nextIntent(context: IntentContext): Intent {
  const chance = context.random()
  if (chance < 0.35) return message(context)
  if (chance < 0.55) return run(context)
  return chance < 0.8 ? loop(context) : completion(context)
}

const FILES = [
  { path: 'word.txt', content: 'word is bad\n' },
  { path: 'check.sh', content: 'cat word.txt; grep -q good word.txt\n' },
]
const nothing = () => undefined

/** Common to all requests: a unique prompt, mostly an idempotency key, and sometimes a customer who disconnects early. */
function basics({ name, random }: IntentContext) {
  const key = random() < 0.7 ? name : null
  const isSlow = key !== null && random() < 0.04
  const leaves = isSlow || random() < 0.25
  const leavesAfterMs = leaves ? Math.floor(50 + random() * 2_500) : null
  const frontier = random() < 0.1 ? { frontier: true } : {}
  return { prompt: `${name}${isSlow ? ` ${SLOWLY}` : ''}: another word.`, key, leavesAfterMs, frontier }
}

function message(context: IntentContext): Intent {
  const { frontier, ...rest } = basics(context)
  const { thread, random } = context
  const stops = random() < 0.15
  return {
    ...rest,
    path: `/chat/threads/${thread}/messages`,
    body: { prompt: rest.prompt, ...frontier },
    stop: stops ? { path: `/chat/threads/${thread}/stop`, atFrame: 1 + Math.floor(random() * 8) } : null,
    record(observed, { frames }) {
      const last = frames.at(-1)
      const message = last?.message as Frame | undefined
      if (!last || !message) return null
      if (message.costMinor !== last.costMinor)
        observed.contradictions.push(`${message.id} was reported with two costs`)
      return recordCost(observed, observed.messages, String(message.id), last.costMinor as bigint)
    },
    recordSteps: nothing,
  }
}

function run(context: IntentContext): Intent {
  const { frontier, ...rest } = basics(context)
  return {
    ...rest,
    path: '/agent/run',
    body: { prompt: rest.prompt, context: FILES, ...frontier },
    stop: null,
    record(observed, { status, frames: [body] }) {
      if (status !== 200 || !body) return null
      return recordCost(observed, observed.runs, String(body.id), body.costMinor as bigint)
    },
    recordSteps: nothing,
  }
}

function loop(context: IntentContext): Intent {
  const { frontier, ...rest } = basics(context)
  const { random, hasSandbox } = context
  const testCmd = random() < 0.3 ? 'true' : 'sh check.sh'
  const sandbox = hasSandbox && random() < 0.25 ? { sandbox: 'local', testCmd } : {}
  return {
    ...rest,
    path: '/agent/run-loop',
    body: { prompt: rest.prompt, context: FILES, ...frontier, ...sandbox },
    stop: null,
    record: noteLoop,
    recordSteps(observed, frames) {
      const id = (frames.find(({ start }) => start)?.start as Frame | undefined)?.id
      if (id === undefined) return
      const edits = frames.filter(({ step }) => step === 'edit')
      const steps = edits.map(({ turn, costMinor }) => ({ turn: Number(turn), minor: costMinor as bigint }))
      observed.steps.set(String(id), [...(observed.steps.get(String(id)) ?? []), ...steps])
    },
  }
}

function noteLoop(observed: ObservedCharges, { frames }: EventLog): string | null {
  const last = frames.at(-1)
  const result = last?.result as Frame | undefined
  if (!last || !result) return null
  const id = String(last.id)
  const now = { iterations: Number(last.iterations), minor: last.totalCostMinor as bigint }
  if (result.costMinor !== now.minor) observed.contradictions.push(`${id} was reported with two costs`)
  const before = observed.loops.get(id)
  if (before && (before.minor !== now.minor || before.iterations !== now.iterations))
    observed.contradictions.push(`${id} was reported with two outcomes`)
  observed.loops.set(id, now)
  return id
}

function recordCost(
  observed: ObservedCharges,
  known: Map<string, bigint>,
  id: string,
  minor: bigint,
): string {
  const before = known.get(id)
  if (before !== undefined && before !== minor)
    observed.contradictions.push(`${id} was reported as ${before} and as ${minor}`)
  known.set(id, minor)
  return id
}

function completion(context: IntentContext): Intent {
  const { frontier: _, ...rest } = basics(context)
  const { random, bearer } = context
  const stream = random() < 0.6
  const more = stream ? { stream, stream_options: { include_usage: true } } : {}
  return {
    ...rest,
    path: '/v1/chat/completions',
    prompt: rest.prompt.replace(SLOWLY, ''),
    // This API has no idempotency keys.
    key: null,
    body: { model: 'open', messages: [{ role: 'user', content: rest.prompt.replace(SLOWLY, '') }], ...more },
    stop: null,
    record(observed, { status, headers, frames, isWhole }) {
      const used = frames.findLast(({ usage }) => usage)?.usage as Frame | undefined
      const minor = stream ? used?.cost_minor : headers.get('x-cowrie-cost-minor')
      const hasCost = status === 200 && minor !== undefined && minor !== null && (stream || isWhole)
      if (hasCost) observed.completions.get(bearer)?.costs.push(BigInt(minor as string))
      return hasCost ? 'a completion' : null
    },
    recordSteps: nothing,
  }
}
