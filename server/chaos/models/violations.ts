// Whether what customers of models were told is what they were charged, and nothing is charged, doubled or left besides.
import type { Sql } from '../../src/platform/db/tx.ts'
import type { ObservedCharges } from './observed-charges.ts'
import * as sql from './sql.ts'

/** The settled holds of one run or message, by the number of their turn. */
type SettledTurns = { readonly turns: Map<number, bigint>; minor: bigint }
type ChargesByWork = Map<string, SettledTurns>
/** The turns of each run whose hold was released: the model failed, or its answer changed nothing, which is free. */
type ReleasedTurns = Map<string, Set<number>>

/** The first answer of a run, and the one to its only repeated request. */
const RUN_TURNS_MAX = 2

/** Everything that is wrong, in words; empty when all is well. */
export async function findModelViolations(owner: Sql, told: ObservedCharges): Promise<string[]> {
  const holds = await sql.modelHolds(owner)
  const settled = holds.filter(({ state }) => state === 'settled')
  const books = booksOf(settled.filter(({ source }) => source !== 'gateway'))
  const released = releasedOf(holds)
  const runs = await sql.runs(owner)
  const answers = await sql.answers(owner)
  const open = holds.filter(({ state }) => state === 'open').map(({ ref }) => `the hold of ${ref} is open`)
  const known = new Set([...runs, ...answers].map(({ id }) => id))
  const unknown = [...books.keys()].filter((work) => !known.has(work))
  return [
    ...open,
    ...unknown.map((work) => `${work} was charged and is not there`),
    ...runs.flatMap((run) => runBreaches(run, books.get(run.id), released.get(run.id))),
    ...answers.flatMap((answer) => answerBreaches(answer, books.get(answer.id))),
    ...toldBreaches(told, books, runs),
    ...promptBreaches(told, [...runs, ...answers], books),
    ...intentBreaches(answers, books),
    ...doorBreaches(told, settled),
    // The money comes first: of a long list only the beginning is shown.
    ...told.contradictions,
  ]
}

/** The run or message that a hold is for, and the number of its turn. */
function turnOf({ ref }: sql.HoldRow): [work: string, turn: number] {
  const [work = '', turn = '1'] = ref.split('.')
  return [work, Number(turn)]
}

function booksOf(settled: readonly sql.HoldRow[]): ChargesByWork {
  const books: ChargesByWork = new Map()
  for (const hold of settled) {
    const [work, turn] = turnOf(hold)
    const book = books.get(work) ?? { turns: new Map(), minor: 0n }
    book.turns.set(turn, hold.charged)
    book.minor += hold.charged
    books.set(work, book)
  }
  return books
}

function releasedOf(holds: readonly sql.HoldRow[]): ReleasedTurns {
  const released: ReleasedTurns = new Map()
  for (const hold of holds.filter(({ state }) => state === 'released')) {
    const [work, turn] = turnOf(hold)
    released.set(work, (released.get(work) ?? new Set()).add(turn))
  }
  return released
}

function runBreaches(
  { id, kind, status, iterations, cost }: sql.RunRow,
  book: SettledTurns | undefined,
  released = new Set<number>(),
) {
  const found: string[] = []
  const charged = [...(book?.turns.keys() ?? [])]
  if (status === 'running') found.push(`${id} is still running`)
  if (cost !== (book?.minor ?? 0n))
    found.push(`${id} says it cost ${cost} and ${book?.minor ?? 0n} was charged`)
  const least = kind === 'loop' ? iterations : status === 'completed' ? 1 : 0
  const most = kind === 'loop' ? iterations : least * RUN_TURNS_MAX
  if (charged.some((turn) => turn > most))
    found.push(`${id} is ${status} after ${least} turns and was charged for turns ${charged}`)
  const unknown = Array.from({ length: least }, (_, i) => i + 1).filter(
    (turn) => !charged.includes(turn) && !released.has(turn),
  )
  if (unknown.length > 0) found.push(`${id} was neither charged nor given back turns ${unknown}`)
  return found
}

function answerBreaches({ id, status, cost }: sql.AnswerRow, book: SettledTurns | undefined): string[] {
  const found: string[] = []
  if (status === 'running') found.push(`${id} is still running`)
  if (cost !== (book?.minor ?? 0n))
    found.push(`${id} says it cost ${cost} and ${book?.minor ?? 0n} was charged`)
  if (status === 'failed' && book) found.push(`${id} failed and was charged`)
  return found
}

function toldBreaches(
  { messages, runs, loops, steps }: ObservedCharges,
  books: ChargesByWork,
  rows: readonly sql.RunRow[],
): string[] {
  const chargedTo = (id: string) => books.get(id)?.minor ?? 0n
  const costs = [...messages, ...runs, ...[...loops].map(([id, { minor }]) => [id, minor] as const)]
  const wrongCosts = costs
    .filter(([id, minor]) => chargedTo(id) !== minor)
    .map(([id, minor]) => `${id} was told as ${minor} and charged as ${chargedTo(id)}`)
  const kept = new Map(rows.map(({ id, iterations }) => [id, iterations]))
  const wrongIterations = [...loops]
    .filter(([id, { iterations }]) => kept.get(id) !== iterations)
    .map(([id, { iterations }]) => `${id} was told with ${iterations} iterations and has ${kept.get(id)}`)
  const wrongSteps = [...steps].flatMap(([id, told]) =>
    told
      .filter(({ turn, minor }) => upTo(books.get(id), turn) !== minor)
      .map(({ turn, minor }) => `${id} had cost ${minor} at iteration ${turn}, and that was not charged`),
  )
  return [...wrongCosts, ...wrongIterations, ...wrongSteps]
}

const upTo = (book: SettledTurns | undefined, turn: number): bigint =>
  [...(book?.turns ?? [])].reduce((sum, [each, charged]) => (each <= turn ? sum + charged : sum), 0n)

type Work = { readonly id: string; readonly prompt: string | null }

/** What was sent under one key is paid for once at most; what was refused or failed for good is not paid for. */
function promptBreaches(
  { keyed, free }: ObservedCharges,
  works: readonly Work[],
  books: ChargesByWork,
): string[] {
  const paid = Map.groupBy(
    works.filter(({ id }) => books.has(id)),
    ({ prompt }) => prompt ?? '',
  )
  return [...paid].flatMap(([prompt, { length }]) => [
    ...(prompt === '' ? ['an answer was paid for that has no question'] : []),
    ...(keyed.has(prompt) && length > 1
      ? [`${prompt} was sent under a key and paid for ${length} times`]
      : []),
    ...(free.has(prompt) ? [`${prompt} was told as failed or refused, and paid for`] : []),
  ])
}

function intentBreaches(answers: readonly sql.AnswerRow[], books: ChargesByWork): string[] {
  const paid = answers.filter(({ id, intent }) => intent !== null && books.has(id))
  return [...Map.groupBy(paid, ({ intent }) => intent)]
    .filter(([, { length }]) => length > 1)
    .map(([intent, { length }]) => `${intent} was paid for ${length} times`)
}

/** Calls through the compatible door have no names, so their costs are crossed out one by one. */
function doorBreaches({ completions: door }: ObservedCharges, settled: readonly sql.HoldRow[]): string[] {
  const holds = settled.filter(({ source }) => source === 'gateway')
  return [...door].flatMap(([user, { costs, unheard }]) => {
    const charged = holds.filter(({ userId }) => userId === user).map((hold) => hold.charged)
    const missing = costs.filter((cost) => {
      const at = charged.indexOf(cost)
      if (at >= 0) charged.splice(at, 1)
      return cost > 0n && at < 0
    })
    return [
      ...missing.map((cost) => `${user} was told ${cost} at the compatible door, which was not charged`),
      ...(charged.length > unheard
        ? [`${user} was charged for ${charged.length} completions more than told, and missed ${unheard}`]
        : []),
    ]
  })
}
