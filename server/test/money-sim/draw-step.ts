// What happens next to an organisation, drawn by chance that can be repeated. Only chance decides, never the outcome of
// what raced before: one seed is one history.
import { after } from '../../src/kernel/clock.ts'
import type { ProviderAnswer } from './model/payment-model.ts'
import type { Op, SimOrg } from './org.ts'

export type Random = () => number
/** One operation, or several at once. */
export type Step = readonly Op[]

/** `rail` is a step with the provider's stand-in, which is drawn where that is known. */
export function drawStep(random: Random, lane: SimOrg, now: Date, focus: HistoryFocus): Step | 'rail' {
  // An empty wallet would only ever refuse.
  if (lane.count === 0) return [newMove('credit', random, lane)]
  const kind = chooseWeighted(random, WEIGHTS[focus])
  if (kind === 'rail') return kind
  if (kind === 'race') return RACES[chooseWeighted(random, RACE_WEIGHTS[focus])](random, lane, now)
  return [drawOp(kind, random, lane, now)]
}

/** What a history is mostly about. */
export type HistoryFocus = 'holds' | 'payments'

type OpKind = Exclude<keyof typeof STEPS, 'race' | 'rail'>

const STEPS = {
  ...{ reserve: 300, retry: 20, settle: 260, release: 70, expire: 20, extend: 30 },
  ...{ credit: 24, creditAgain: 3, debit: 8, grant: 6, cap: 8 },
  ...{ race: 80, begin: 4, hear: 6, refund: 1, resolve: 1, rail: 4 },
}
const WEIGHTS: Readonly<Record<HistoryFocus, typeof STEPS>> = {
  holds: STEPS,
  payments: { ...STEPS, begin: 60, hear: 200, refund: 40, resolve: 20, rail: 60 },
}
const RACE_STEPS = { mixed: 40, oneHold: 22, oneRef: 12, oneCause: 4, drain: 20, onePayment: 3, refunds: 2 }
const RACE_WEIGHTS: Readonly<Record<HistoryFocus, typeof RACE_STEPS>> = {
  holds: RACE_STEPS,
  payments: { ...RACE_STEPS, onePayment: 60, refunds: 20 },
}

function drawOp(kind: OpKind, random: Random, lane: SimOrg, now: Date): Op {
  switch (kind) {
    case 'reserve':
      return newReserve(random, lane, now)
    case 'retry':
      return recentReserve(random, lane, now)
    case 'settle':
    case 'release':
    case 'expire':
    case 'extend':
      return onHold(kind, random, recentReserve(random, lane, now), lane, now)
    case 'credit':
    case 'debit':
    case 'grant':
      return newMove(kind, random, lane)
    case 'creditAgain':
      return {
        kind: 'credit',
        cause: pickOne(random, lane.recent.causes) ?? nameIn(lane),
        amount: upTo(random, 8_000),
      }
    case 'cap': {
      const cap = random() < 0.3 ? null : upTo(random, 12_000)
      return { kind, userId: pickOne(random, lane.members) ?? '', cap }
    }
    default:
      return drawPayment(kind, random, lane, now)
  }
}

function drawPayment(
  kind: 'begin' | 'hear' | 'refund' | 'resolve',
  random: Random,
  lane: SimOrg,
  now: Date,
): Op {
  const known = lane.recent.direct.filter((each) => lane.payments.payments.has(each))
  const reference = pickOne(random, known)
  if (kind === 'begin' || reference === undefined) {
    const begun = `tp${nameIn(lane).replace('-', 'n')}`.padEnd(28, 'x')
    lane.remember('direct', begun)
    const expiresAt = after(now, random() < 0.5 ? { minutes: 15 } : { hours: 24 })
    return { kind: 'begin', reference: begun, amount: 1n + upTo(random, 6_000), expiresAt }
  }
  const [first, second] = [random(), random()]
  if (kind === 'refund')
    return { kind, reference, amount: 1n + BigInt(Math.floor(first * 4_000)), key: nameIn(lane) }
  if (kind === 'resolve')
    return { kind, reference, decision: second < 0.5 ? 'credit' : 'reject', key: nameIn(lane) }
  return { kind, reference, answer: drawAnswer(random, lane, reference) }
}

const ANSWERS = {
  ...{ paid: 50, wrongAmount: 6, wrongCurrency: 5, otherReference: 4, usedTransaction: 8 },
  ...{ failed: 10, pending: 12, reversed: 12, unknown: 6 },
}

function drawAnswer(random: Random, lane: SimOrg, reference: string): ProviderAnswer {
  const kind = chooseWeighted(random, ANSWERS)
  const other = pickOne(random, lane.recent.direct) ?? reference
  const { amount } = lane.payments.payments.get(reference) ?? { amount: 1n }
  const paid = { status: 'paid', amount, currency: 'NGN', reference, transaction: `tx ${reference}` } as const
  switch (kind) {
    case 'paid':
      return paid
    case 'wrongAmount':
      return { ...paid, amount: random() < 0.5 ? amount + 1n : amount - 1n }
    case 'wrongCurrency':
      return { ...paid, currency: 'GHS' }
    case 'otherReference':
      return { ...paid, reference: 'tpofsomebodyelse' }
    case 'usedTransaction':
      return { ...paid, transaction: `tx ${other}` }
    default:
      return { status: kind }
  }
}

type Race = (random: Random, lane: SimOrg, now: Date) => Step

const RACES: Record<keyof typeof RACE_STEPS, Race> = {
  mixed: (random, lane, now) => {
    const own = { reserve: 35, settle: 30, release: 12, expire: 6, extend: 4, cap: 4 }
    const kinds = { ...own, credit: 3, debit: 3, grant: 2, hear: 1 }
    const drawn = several(random, 2, 5, () => drawOp(chooseWeighted(random, kinds), random, lane, now))
    // Of two caps at once nothing tells which came last. What is reserved up to a cap is all or nothing here: a
    // settlement that travels with it is counted for the next only.
    return drawn
      .filter((op, i) => op.kind !== 'cap' || drawn.findIndex(({ kind }) => kind === 'cap') === i)
      .map((op) => (op.kind === 'reserve' ? { ...op, least: op.amount } : op))
  },
  oneHold: (random, lane, now) => {
    const reserve = recentReserve(random, lane, now)
    const kinds = { settle: 50, release: 20, expire: 20, extend: 10 }
    return several(random, 2, 5, () => onHold(chooseWeighted(random, kinds), random, reserve, lane, now))
  },
  oneRef: (random, lane, now) => {
    const reserve = newReserve(random, lane, now)
    return several(random, 2, 4, () => ({ ...reserve, amount: reserve.amount + upTo(random, 50) }))
  },
  oneCause: (random, lane) => {
    const move = newMove(chooseWeighted(random, { credit: 60, debit: 30, grant: 10 }), random, lane)
    return several(random, 2, 4, () => move)
  },
  /** Each alone would fit; all together are more than there is, or than the cap leaves. */
  drain: (random, lane, now) => {
    const reserve = { ...newReserve(random, lane, now), amount: 200n + upTo(random, 4_000) }
    const least = random() < 0.7 ? reserve.amount : 0n
    const count = 3 + Math.floor(random() * 4)
    return Array.from({ length: count }, (_, i) => {
      const one = { ...reserve, least, ref: i === 0 ? reserve.ref : nameIn(lane) }
      if (i > 0) lane.remember('reserves', one)
      return one
    })
  },
  onePayment: (random, lane, now) => {
    const hear = drawOp('hear', random, lane, now)
    if (hear.kind !== 'hear') return [hear]
    const others = several(random, 1, 3, () =>
      random() < 0.7 ? hear : { ...hear, answer: drawAnswer(random, lane, hear.reference) },
    )
    return [hear, ...others, ...(random() < 0.5 ? [newReserve(random, lane, now)] : [])]
  },
  refunds: (random, lane, now) => {
    const refund = drawOp('refund', random, lane, now)
    if (refund.kind !== 'refund') return [refund]
    return several(random, 2, 4, () => ({ ...refund, key: nameIn(lane) }))
  },
}

function newReserve(random: Random, lane: SimOrg, now: Date) {
  const amount = random() < 0.04 ? 0n : 1n + upTo(random, random() < 0.8 ? 2_000 : 15_000)
  const least = random() < 0.7 ? amount : (amount * BigInt(Math.floor(random() * 100))) / 100n
  const userId = random() < 0.1 ? null : (pickOne(random, lane.members) ?? null)
  const seconds = random() < 0.7 ? 20 + random() * 3_600 : random() * 3 * 86_400
  const deadline = after(now, { seconds: Math.ceil(seconds) })
  const reserve = { kind: 'reserve', ref: nameIn(lane), userId, amount, least, deadline } as const
  lane.remember('reserves', reserve)
  return reserve
}

const recentReserve = (random: Random, lane: SimOrg, now: Date) =>
  pickOne(random, lane.recent.reserves) ?? newReserve(random, lane, now)

type Reserve = ReturnType<typeof newReserve> | SimOrg['recent']['reserves'][number]

/** What was refused has no hold: then it is asked for again. */
function onHold(
  kind: 'settle' | 'release' | 'expire' | 'extend',
  random: Random,
  reserve: Reserve,
  lane: SimOrg,
  now: Date,
): Op {
  const { ref } = reserve
  const amount = random() < 0.15 ? 0n : upTo(random, random() < 0.8 ? 2_000 : 20_000)
  const chance = random()
  if (!lane.wallet.holds.has(ref)) return reserve
  if (kind === 'settle') return { kind, ref, amount, isCounted: isEven(ref) }
  if (kind === 'extend') return { kind, ref, deadline: after(now, { seconds: Math.ceil(chance * 86_400) }) }
  return { kind, ref }
}

function newMove(kind: 'credit' | 'debit' | 'grant', random: Random, lane: SimOrg): Op {
  const cause = nameIn(lane)
  lane.remember('causes', cause)
  const amount = 1n + upTo(random, kind === 'grant' ? 4_000 : 20_000)
  if (kind === 'debit') return { kind, cause, amount, least: random() < 0.5 ? amount : 1n }
  return kind === 'grant' && random() < 0.1 ? { kind, cause, amount: 0n } : { kind, cause, amount }
}

export const nameIn = (lane: SimOrg): string => `${lane.name}-${++lane.count}`
/** Of a hold that is settled twice at once nothing tells whose word about its use was taken, so both say the same. */
const isEven = (ref: string): boolean => /[02468]$/.test(ref)
const upTo = (random: Random, most: number): bigint => BigInt(Math.floor(random() * most))
export const pickOne = <T>(random: Random, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)]
const several = <T>(random: Random, least: number, most: number, make: () => T): T[] =>
  Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, make)

export function chooseWeighted<K extends string>(random: Random, weights: Readonly<Record<K, number>>): K {
  const entries = Object.entries(weights) as [K, number][]
  let place = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [key, weight] of entries) {
    place -= weight
    if (place < 0) return key
  }
  return (entries.at(-1) as [K, number])[0]
}
