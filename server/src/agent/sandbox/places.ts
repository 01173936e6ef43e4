// How many sandboxes run at once in this process. Each may take half a gibibyte, so the others wait for their turn: whoever
// asks for much waits behind those of its own organisation, and organisations take turns.

const AT_ONCE_MAX = 4
const WAITING_MAX = 64
const AT_ONCE_PER_OWNER = 2
const WAITING_PER_OWNER = 16

export type PlaceAsk = {
  /** Among whom places are shared fairly: an organisation. */
  readonly owner: string
  readonly signal: AbortSignal
  /** Waits however many others do. For what was paid for already; each of these is one of few loops. */
  readonly isPatient?: boolean
}

type Line = { running: number; readonly waiting: (() => void)[] }

let running = 0
/** Whose turn comes first stands first. */
const lines = new Map<string, Line>()

/** A place among those that run at once in this process; null when the wait is over without one, or too many wait. */
export async function enter({ owner, signal, isPatient = false }: PlaceAsk): Promise<(() => void) | null> {
  if (signal.aborted) return null
  const line = lines.get(owner) ?? { running: 0, waiting: [] }
  if (!isPatient && (line.waiting.length >= WAITING_PER_OWNER || waitingInAll() >= WAITING_MAX)) return null
  lines.set(owner, line)
  return new Promise((resolve) => {
    const takePlace = () => {
      signal.removeEventListener('abort', giveUp)
      resolve(() => leave(owner, line))
    }
    const giveUp = () => {
      line.waiting.splice(line.waiting.indexOf(takePlace), 1)
      forgetIdle(owner, line)
      resolve(null)
    }
    line.waiting.push(takePlace)
    signal.addEventListener('abort', giveUp, { once: true })
    admit()
  })
}

function waitingInAll(): number {
  let sum = 0
  for (const { waiting } of lines.values()) sum += waiting.length
  return sum
}

function leave(owner: string, line: Line): void {
  running--
  line.running--
  forgetIdle(owner, line)
  admit()
}

/** Gives free places away, one to each organisation in turn. */
function admit(): void {
  while (running < AT_ONCE_MAX) {
    const next = [...lines].find(
      ([, { running: own, waiting }]) => waiting.length > 0 && own < AT_ONCE_PER_OWNER,
    )
    if (next === undefined) return
    const [owner, line] = next
    // Who had a turn goes to the end.
    lines.delete(owner)
    lines.set(owner, line)
    running++
    line.running++
    line.waiting.shift()?.()
  }
}

function forgetIdle(owner: string, line: Line): void {
  if (line.running === 0 && line.waiting.length === 0) lines.delete(owner)
}
