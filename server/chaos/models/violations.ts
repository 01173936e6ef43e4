// Checks that the costs which customers saw are the amounts charged, and that nothing else was charged, doubled or left open.
import type { Sql } from '../../src/platform/db/tx.ts'
import type { ObservedCharges } from './observed-charges.ts'
import * as sql from './sql.ts'

/** The settled holds of one run or message, by turn number. */
type SettledTurns = { readonly turns: Map<number, bigint>; minor: bigint }
type ChargesByWork = Map<string, SettledTurns>
/** Turns whose hold was released: the model failed, or its answer changed nothing, which is free. */
type ReleasedTurns = Map<string, Set<number>>

/** The first answer of a run and its only repair turn. */
const RUN_TURNS_MAX = 2

/** One message per violation. Empty if there is none. */
export async function findModelViolations(owner: Sql, observed: ObservedCharges): Promise<string[]> {
  const holds = await sql.modelHolds(owner)
  const settled = holds.filter(({ state }) => state === 'settled')
  const charges = chargesOf(settled.filter(({ source }) => source !== 'gateway'))
  const released = releasedOf(holds)
  const runs = await sql.runs(owner)
  const answers = await sql.answers(owner)
  const open = holds.filter(({ state }) => state === 'open').map(({ ref }) => `the hold of ${ref} is open`)
  const known = new Set([...runs, ...answers].map(({ id }) => id))
  const unknown = [...charges.keys()].filter((work) => !known.has(work))
  return [
    ...open,
    ...unknown.map((work) => `${work} was charged and does not exist`),
    ...runs.flatMap((run) => runViolations(run, charges.get(run.id), released.get(run.id))),
    ...answers.flatMap((answer) => answerViolations(answer, charges.get(answer.id))),
    ...reportedCostViolations(observed, charges, runs),
    ...promptViolations(observed, [...runs, ...answers], charges),
    ...intentViolations(answers, charges),
    ...completionViolations(observed, settled),
    // Money first: only the beginning of a long list is printed.
    ...observed.contradictions,
  ]
}

/** The run or message of a hold, and its turn number. */
function turnOf({ ref }: sql.HoldRow): [work: string, turn: number] {
  const [work = '', turn = '1'] = ref.split('.')
  return [work, Number(turn)]
}

function chargesOf(settled: readonly sql.HoldRow[]): ChargesByWork {
  const charges: ChargesByWork = new Map()
  for (const hold of settled) {
    const [work, turn] = turnOf(hold)
    const sums = charges.get(work) ?? { turns: new Map(), minor: 0n }
    sums.turns.set(turn, hold.charged)
    sums.minor += hold.charged
    charges.set(work, sums)
  }
  return charges
}

function releasedOf(holds: readonly sql.HoldRow[]): ReleasedTurns {
  const released: ReleasedTurns = new Map()
  for (const hold of holds.filter(({ state }) => state === 'released')) {
    const [work, turn] = turnOf(hold)
    released.set(work, (released.get(work) ?? new Set()).add(turn))
  }
  return released
}

function runViolations(
  { id, kind, status, iterations, cost }: sql.RunRow,
  settled: SettledTurns | undefined,
  released = new Set<number>(),
) {
  const found: string[] = []
  const charged = [...(settled?.turns.keys() ?? [])]
  if (status === 'running') found.push(`${id} is still running`)
  if (cost !== (settled?.minor ?? 0n))
    found.push(`${id} has cost ${cost} and ${settled?.minor ?? 0n} was charged`)
  const least = kind === 'loop' ? iterations : status === 'completed' ? 1 : 0
  const most = kind === 'loop' ? iterations : least * RUN_TURNS_MAX
  if (charged.some((turn) => turn > most))
    found.push(`${id} is ${status} after ${least} turns and was charged for turns ${charged}`)
  const unknown = Array.from({ length: least }, (_, i) => i + 1).filter(
    (turn) => !charged.includes(turn) && !released.has(turn),
  )
  if (unknown.length > 0) found.push(`${id} has turns ${unknown} that were neither charged nor released`)
  return found
}

function answerViolations({ id, status, cost }: sql.AnswerRow, settled: SettledTurns | undefined): string[] {
  const found: string[] = []
  if (status === 'running') found.push(`${id} is still running`)
  if (cost !== (settled?.minor ?? 0n))
    found.push(`${id} has cost ${cost} and ${settled?.minor ?? 0n} was charged`)
  if (status === 'failed' && settled) found.push(`${id} failed and was charged`)
  return found
}

function reportedCostViolations(
  { messages, runs, loops, steps }: ObservedCharges,
  charges: ChargesByWork,
  rows: readonly sql.RunRow[],
): string[] {
  const chargedTo = (id: string) => charges.get(id)?.minor ?? 0n
  const costs = [...messages, ...runs, ...[...loops].map(([id, { minor }]) => [id, minor] as const)]
  const wrongCosts = costs
    .filter(([id, minor]) => chargedTo(id) !== minor)
    .map(([id, minor]) => `${id} was reported as ${minor} and charged as ${chargedTo(id)}`)
  const stored = new Map(rows.map(({ id, iterations }) => [id, iterations]))
  const wrongIterations = [...loops]
    .filter(([id, { iterations }]) => stored.get(id) !== iterations)
    .map(
      ([id, { iterations }]) => `${id} was reported with ${iterations} iterations and has ${stored.get(id)}`,
    )
  const wrongSteps = [...steps].flatMap(([id, observed]) =>
    observed
      .filter(({ turn, minor }) => upTo(charges.get(id), turn) !== minor)
      .map(
        ({ turn, minor }) =>
          `${id} was reported as ${minor} at iteration ${turn}, which is not the charged sum`,
      ),
  )
  return [...wrongCosts, ...wrongIterations, ...wrongSteps]
}

const upTo = (settled: SettledTurns | undefined, turn: number): bigint =>
  [...(settled?.turns ?? [])].reduce((sum, [each, charged]) => (each <= turn ? sum + charged : sum), 0n)

type Work = { readonly id: string; readonly prompt: string | null }

/** A request with an idempotency key is charged at most once. A refused or failed request is not charged. */
function promptViolations(
  { keyed, free }: ObservedCharges,
  works: readonly Work[],
  charges: ChargesByWork,
): string[] {
  const paid = Map.groupBy(
    works.filter(({ id }) => charges.has(id)),
    ({ prompt }) => prompt ?? '',
  )
  return [...paid].flatMap(([prompt, { length }]) => [
    ...(prompt === '' ? ['an answer without a question was charged'] : []),
    ...(keyed.has(prompt) && length > 1 ? [`${prompt} was sent with a key and charged ${length} times`] : []),
    ...(free.has(prompt) ? [`${prompt} was reported as failed or refused, and charged`] : []),
  ])
}

function intentViolations(answers: readonly sql.AnswerRow[], charges: ChargesByWork): string[] {
  const paid = answers.filter(({ id, intent }) => intent !== null && charges.has(id))
  return [...Map.groupBy(paid, ({ intent }) => intent)]
    .filter(([, { length }]) => length > 1)
    .map(([intent, { length }]) => `${intent} was charged ${length} times`)
}

/** Calls of the OpenAI-compatible API have no ids, so their costs are matched one by one. */
function completionViolations({ completions }: ObservedCharges, settled: readonly sql.HoldRow[]): string[] {
  const holds = settled.filter(({ source }) => source === 'gateway')
  return [...completions].flatMap(([user, { costs, unobserved }]) => {
    const charged = holds.filter(({ userId }) => userId === user).map((hold) => hold.charged)
    const missing = costs.filter((cost) => {
      const at = charged.indexOf(cost)
      if (at >= 0) charged.splice(at, 1)
      return cost > 0n && at < 0
    })
    return [
      ...missing.map((cost) => `${user} saw a cost of ${cost} for a completion, which was not charged`),
      ...(charged.length > unobserved
        ? [
            `${user} was charged for ${charged.length} completions without a visible cost, and lost ${unobserved} answers`,
          ]
        : []),
    ]
  })
}
