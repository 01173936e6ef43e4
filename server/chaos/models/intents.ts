// What customers of models want: an answer in a conversation, a run, a loop, or a completion through the compatible door.
import type { EventLog, Frame } from './event-log.ts'
import type { ObservedCharges } from './observed-charges.ts'
import { SLOWLY } from './upstream-answers.ts'

export type Intent = {
  readonly path: string
  readonly prompt: string
  readonly body: object
  readonly key: string | null
  /** The customer goes after so many milliseconds; null: never. */
  readonly leavesAfterMs: number | null
  /** Somebody asks for the end of it at this frame; null: nobody. */
  readonly stop: { readonly path: string; readonly atFrame: number } | null
  /** Remembers what a last word said; null when it was none. Otherwise the name of what was paid. */
  record(told: ObservedCharges, heard: EventLog): string | null
  /** Remembers what was said on the way. */
  recordSteps(told: ObservedCharges, frames: readonly Frame[]): void
}

export type IntentContext = {
  readonly bearer: string
  readonly name: string
  readonly thread: string
  readonly random: () => number
  readonly hasSandbox: boolean
}

export function nextIntent(wanting: IntentContext): Intent {
  const chance = wanting.random()
  if (chance < 0.35) return message(wanting)
  if (chance < 0.55) return run(wanting)
  return chance < 0.8 ? loop(wanting) : completion(wanting)
}

const FILES = [
  { path: 'word.txt', content: 'word is bad\n' },
  { path: 'check.sh', content: 'cat word.txt; grep -q good word.txt\n' },
]
const nothing = () => undefined

/** What all of them have: words of their own, mostly a key, and sometimes a customer who does not wait. */
function basics({ name, random }: IntentContext) {
  const key = random() < 0.7 ? name : null
  const isSlow = key !== null && random() < 0.04
  const leaves = isSlow || random() < 0.25
  const leavesAfterMs = leaves ? Math.floor(50 + random() * 2_500) : null
  const frontier = random() < 0.1 ? { frontier: true } : {}
  return { prompt: `${name}${isSlow ? ` ${SLOWLY}` : ''}: another word.`, key, leavesAfterMs, frontier }
}

function message(wanting: IntentContext): Intent {
  const { frontier, ...rest } = basics(wanting)
  const { thread, random } = wanting
  const stops = random() < 0.15
  return {
    ...rest,
    path: `/chat/threads/${thread}/messages`,
    body: { prompt: rest.prompt, ...frontier },
    stop: stops ? { path: `/chat/threads/${thread}/stop`, atFrame: 1 + Math.floor(random() * 8) } : null,
    record(told, { frames }) {
      const last = frames.at(-1)
      const said = last?.message as Frame | undefined
      if (!last || !said) return null
      if (said.costMinor !== last.costMinor) told.contradictions.push(`${said.id} was told with two prices`)
      return recordCost(told, told.messages, String(said.id), last.costMinor as bigint)
    },
    recordSteps: nothing,
  }
}

function run(wanting: IntentContext): Intent {
  const { frontier, ...rest } = basics(wanting)
  return {
    ...rest,
    path: '/agent/run',
    body: { prompt: rest.prompt, context: FILES, ...frontier },
    stop: null,
    record(told, { status, frames: [body] }) {
      if (status !== 200 || !body) return null
      return recordCost(told, told.runs, String(body.id), body.costMinor as bigint)
    },
    recordSteps: nothing,
  }
}

function loop(wanting: IntentContext): Intent {
  const { frontier, ...rest } = basics(wanting)
  const { random, hasSandbox } = wanting
  const testCmd = random() < 0.3 ? 'true' : 'sh check.sh'
  const sandbox = hasSandbox && random() < 0.25 ? { sandbox: 'local', testCmd } : {}
  return {
    ...rest,
    path: '/agent/run-loop',
    body: { prompt: rest.prompt, context: FILES, ...frontier, ...sandbox },
    stop: null,
    record: noteLoop,
    recordSteps(told, frames) {
      const id = (frames.find(({ start }) => start)?.start as Frame | undefined)?.id
      if (id === undefined) return
      const edits = frames.filter(({ step }) => step === 'edit')
      const steps = edits.map(({ turn, costMinor }) => ({ turn: Number(turn), minor: costMinor as bigint }))
      told.steps.set(String(id), [...(told.steps.get(String(id)) ?? []), ...steps])
    },
  }
}

function noteLoop(told: ObservedCharges, { frames }: EventLog): string | null {
  const last = frames.at(-1)
  const result = last?.result as Frame | undefined
  if (!last || !result) return null
  const id = String(last.id)
  const now = { iterations: Number(last.iterations), minor: last.totalCostMinor as bigint }
  if (result.costMinor !== now.minor) told.contradictions.push(`${id} was told with two prices`)
  const before = told.loops.get(id)
  if (before && (before.minor !== now.minor || before.iterations !== now.iterations))
    told.contradictions.push(`${id} was told as two outcomes`)
  told.loops.set(id, now)
  return id
}

function recordCost(told: ObservedCharges, known: Map<string, bigint>, id: string, minor: bigint): string {
  const before = known.get(id)
  if (before !== undefined && before !== minor)
    told.contradictions.push(`${id} was told as ${before} and as ${minor}`)
  known.set(id, minor)
  return id
}

function completion(wanting: IntentContext): Intent {
  const { frontier: _, ...rest } = basics(wanting)
  const { random, bearer } = wanting
  const stream = random() < 0.6
  const more = stream ? { stream, stream_options: { include_usage: true } } : {}
  return {
    ...rest,
    path: '/v1/chat/completions',
    prompt: rest.prompt.replace(SLOWLY, ''),
    // This door knows no keys.
    key: null,
    body: { model: 'open', messages: [{ role: 'user', content: rest.prompt.replace(SLOWLY, '') }], ...more },
    stop: null,
    record(told, { status, headers, frames, isWhole }) {
      const used = frames.findLast(({ usage }) => usage)?.usage as Frame | undefined
      const minor = stream ? used?.cost_minor : headers.get('x-cowrie-cost-minor')
      const isTold = status === 200 && minor !== undefined && minor !== null && (stream || isWhole)
      if (isTold) told.completions.get(bearer)?.costs.push(BigInt(minor as string))
      return isTold ? 'a completion' : null
    },
    recordSteps: nothing,
  }
}
