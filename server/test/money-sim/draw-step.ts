// Draws the next step of an organisation. Only the seed decides, never the outcome of earlier races, so that a seed always
// gives the same history.
import { createHash } from 'node:crypto'
import { chooseWeighted, pickOne, type Random } from '@cowrie/testkit/harness/seeded.ts'
import { after } from '../../src/kernel/clock.ts'
import type { ProviderAnswer } from './model/payment-model.ts'
import { wholeOf } from './model/wallet-model.ts'
import type { Op, SimOrg } from './org.ts'

/** One operation, or several concurrent ones. */
export type Step = readonly Op[]

/** `rail`: a step with the fake provider, which provider-steps.ts draws. */
export function drawStep(random: Random, org: SimOrg, now: Date, focus: HistoryFocus): Step | 'rail' {
  // An empty wallet would refuse every operation.
  if (org.count === 0) return [newMove('credit', random, org)]
  const kind = chooseWeighted(random, WEIGHTS[focus])
  if (kind === 'rail') return org.currency === 'NGN' ? kind : [drawOp('settle', random, org, now)]
  if (kind === 'race') return RACES[chooseWeighted(random, RACE_WEIGHTS[focus])](random, org, now)
  return [drawOp(kind, random, org, now)]
}

/** The main subject of a history. */
export type HistoryFocus = 'holds' | 'payments'

type OpKind = Exclude<keyof typeof STEPS, 'race' | 'rail'>

const STEPS = {
  ...{ reserve: 300, retry: 20, settle: 260, release: 70, expire: 20, extend: 30 },
  ...{ credit: 24, creditAgain: 3, debit: 8, grant: 6, cap: 8 },
  ...{ trial: 6, returnCharge: 6, freeze: 8, unfreeze: 8 },
  ...{ race: 80, begin: 4, providerStatus: 6, refund: 1, resolve: 1, rail: 4 },
}
const WEIGHTS: Readonly<Record<HistoryFocus, typeof STEPS>> = {
  holds: STEPS,
  payments: { ...STEPS, begin: 60, providerStatus: 200, refund: 40, resolve: 20, rail: 60 },
}
const RACE_STEPS = { mixed: 40, oneHold: 22, oneRef: 12, oneCause: 4, drain: 20, onePayment: 3, refunds: 2 }
const RACE_WEIGHTS: Readonly<Record<HistoryFocus, typeof RACE_STEPS>> = {
  holds: RACE_STEPS,
  payments: { ...RACE_STEPS, onePayment: 60, refunds: 20 },
}

function drawOp(kind: OpKind, random: Random, org: SimOrg, now: Date): Op {
  switch (kind) {
    case 'reserve':
      return newReserve(random, org, now)
    case 'retry':
      return recentReserve(random, org, now)
    case 'settle':
    case 'release':
    case 'expire':
    case 'extend':
      return onHold(kind, random, recentReserve(random, org, now), org, now)
    case 'credit':
    case 'debit':
    case 'grant':
      return newMove(kind, random, org)
    case 'creditAgain':
      return {
        kind: 'credit',
        cause: pickOne(random, org.recent.causes) ?? nameIn(org),
        amount: 1n + upTo(random, 8_000),
      }
    case 'trial': {
      // Longer than most steps of the clock, so that work spends it before it expires.
      const expiresAt = after(now, { days: 1 + Math.floor(random() * 60) })
      return { kind, id: `trl_${org.name}`, amount: 1n + upTo(random, 30_000), expiresAt }
    }
    case 'returnCharge':
      return { kind, cause: nameIn(org), amount: 1n + upTo(random, 3_000) }
    case 'freeze':
      return newFreeze(random, org)
    case 'unfreeze': {
      const freeze = pickOne(random, org.recent.freezes) ?? newFreeze(random, org)
      return org.wallet.holds.has(freeze.ref) ? { kind, ref: freeze.ref } : freeze
    }
    case 'cap': {
      const cap = random() < 0.3 ? null : upTo(random, 12_000)
      return { kind, userId: pickOne(random, org.members) ?? '', cap }
    }
    default:
      // The simulated payments are in naira.
      return org.currency === 'NGN' ? drawPayment(kind, random, org, now) : drawOp('settle', random, org, now)
  }
}

function drawPayment(
  kind: 'begin' | 'providerStatus' | 'refund' | 'resolve',
  random: Random,
  org: SimOrg,
  now: Date,
): Op {
  const known = org.recent.direct.filter((each) => org.payments.payments.has(each))
  const reference = pickOne(random, known)
  if (kind === 'begin' || reference === undefined) {
    const begun = `tp${nameIn(org).replace('-', 'n')}`.padEnd(28, 'x')
    org.remember('direct', begun)
    const expiresAt = after(now, random() < 0.5 ? { minutes: 15 } : { hours: 24 })
    return { kind: 'begin', reference: begun, amount: 1n + upTo(random, 6_000), expiresAt }
  }
  const [first, second] = [random(), random()]
  if (kind === 'refund')
    return { kind, reference, amount: 1n + BigInt(Math.floor(first * 4_000)), key: nameIn(org) }
  if (kind === 'resolve')
    return { kind, reference, decision: second < 0.5 ? 'credit' : 'reject', key: nameIn(org) }
  return { kind, reference, answer: drawAnswer(random, org, reference) }
}

const ANSWERS = {
  ...{ paid: 50, wrongAmount: 6, wrongCurrency: 5, otherReference: 4, usedTransaction: 8 },
  ...{ failed: 10, pending: 12, reversed: 12, unknown: 6 },
}

function drawAnswer(random: Random, org: SimOrg, reference: string): ProviderAnswer {
  const kind = chooseWeighted(random, ANSWERS)
  const other = pickOne(random, org.recent.direct) ?? reference
  const { amount } = org.payments.payments.get(reference) ?? { amount: 1n }
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

const TRIAL_KINDS = { trial: 1, returnCharge: 2, freeze: 3, unfreeze: 3 }

type Race = (random: Random, org: SimOrg, now: Date) => Step

const RACES: Record<keyof typeof RACE_STEPS, Race> = {
  mixed: (random, org, now) => {
    const own = { reserve: 35, settle: 30, release: 12, expire: 6, extend: 4, cap: 4 }
    const kinds = { ...own, credit: 3, debit: 3, grant: 2, providerStatus: 1, ...TRIAL_KINDS }
    const drawn = several(random, 2, 5, () => drawOp(chooseWeighted(random, kinds), random, org, now))
    // Only one cap change per race, because nothing shows which of two came last. Reserves are all or nothing, because a
    // settlement in the same batch counts against the cap only for later reserves.
    return drawn
      .filter((op, i) => op.kind !== 'cap' || drawn.findIndex(({ kind }) => kind === 'cap') === i)
      .map((op) => (op.kind === 'reserve' ? { ...op, least: op.amount } : op))
  },
  oneHold: (random, org, now) => {
    const reserve = recentReserve(random, org, now)
    const kinds = { settle: 50, release: 20, expire: 20, extend: 10 }
    return several(random, 2, 5, () => onHold(chooseWeighted(random, kinds), random, reserve, org, now))
  },
  oneRef: (random, org, now) => {
    const reserve = newReserve(random, org, now)
    return several(random, 2, 4, () => ({ ...reserve, amount: reserve.amount + upTo(random, 50) }))
  },
  oneCause: (random, org) => {
    const move = newMove(chooseWeighted(random, { credit: 60, debit: 30, grant: 10 }), random, org)
    return several(random, 2, 4, () => move)
  },
  /** Each reserve fits alone. Together they exceed the balance or the cap. */
  drain: (random, org, now) => {
    const reserve = { ...newReserve(random, org, now), amount: 200n + upTo(random, 4_000) }
    const least = random() < 0.7 ? reserve.amount : 0n
    const count = 3 + Math.floor(random() * 4)
    return Array.from({ length: count }, (_, i) => {
      const one = { ...reserve, least, ref: i === 0 ? reserve.ref : nameIn(org) }
      if (i > 0) org.remember('reserves', one)
      return one
    })
  },
  onePayment: (random, org, now) => {
    const update = drawOp('providerStatus', random, org, now)
    if (update.kind !== 'providerStatus') return [update]
    const others = several(random, 1, 3, () =>
      random() < 0.7 ? update : { ...update, answer: drawAnswer(random, org, update.reference) },
    )
    return [update, ...others, ...(random() < 0.5 ? [newReserve(random, org, now)] : [])]
  },
  refunds: (random, org, now) => {
    const refund = drawOp('refund', random, org, now)
    if (refund.kind !== 'refund') return [refund]
    return several(random, 2, 4, () => ({ ...refund, key: nameIn(org) }))
  },
}

function newReserve(random: Random, org: SimOrg, now: Date) {
  const amount = random() < 0.04 ? 0n : 1n + upTo(random, random() < 0.8 ? 2_000 : 15_000)
  const least = random() < 0.7 ? amount : (amount * BigInt(Math.floor(random() * 100))) / 100n
  const userId = random() < 0.1 ? null : (pickOne(random, org.members) ?? null)
  const seconds = random() < 0.7 ? 20 + random() * 3_600 : random() * 3 * 86_400
  const deadline = after(now, { seconds: Math.ceil(seconds) })
  const reserve = { kind: 'reserve', ref: nameIn(org), userId, amount, least, deadline } as const
  org.remember('reserves', reserve)
  return reserve
}

function newFreeze(random: Random, org: SimOrg) {
  const freeze = { kind: 'freeze', ref: nameIn(org), amount: 1n + upTo(random, 6_000) } as const
  org.remember('freezes', freeze)
  return freeze
}

const recentReserve = (random: Random, org: SimOrg, now: Date) =>
  pickOne(random, org.recent.reserves) ?? newReserve(random, org, now)

type Reserve = ReturnType<typeof newReserve> | SimOrg['recent']['reserves'][number]

/** A refused reserve has no hold, so it is requested again. */
function onHold(
  kind: 'settle' | 'release' | 'expire' | 'extend',
  random: Random,
  reserve: Reserve,
  org: SimOrg,
  now: Date,
): Op {
  const { ref } = reserve
  const amount = random() < 0.15 ? 0n : upTo(random, random() < 0.8 ? 2_000 : 20_000)
  const chance = random()
  if (!org.wallet.holds.has(ref)) return reserve
  if (kind === 'settle') {
    const micro = accruedMicro(org, ref)
    return { kind, ref, amount: micro === null ? amount : wholeOf(micro), isCounted: isEven(ref), micro }
  }
  if (kind === 'extend') return { kind, ref, deadline: after(now, { seconds: Math.ceil(chance * 86_400) }) }
  return { kind, ref }
}

/**
 * All charges in other currencies accrue, and in naira those below a kobo. Concurrent settlements of one hold agree, because debits
 * of 0 do not show which of them was applied.
 */
function accruedMicro({ currency }: SimOrg, ref: string): bigint | null {
  const drawn = createHash('sha256').update(ref).digest()
  const [kind = 0] = drawn
  if (currency === 'NGN' && kind >= 32) return null
  const micro = 1n + BigInt(drawn.readUInt32BE(1) % 999_999)
  return currency === 'NGN' || kind < 128 ? micro : micro + BigInt(drawn.readUInt16BE(5) % 2_000) * 1_000_000n
}

function newMove(kind: 'credit' | 'debit' | 'grant', random: Random, org: SimOrg): Op {
  const cause = nameIn(org)
  org.remember('causes', cause)
  const amount = 1n + upTo(random, kind === 'grant' ? 4_000 : 20_000)
  if (kind === 'debit') return { kind, cause, amount, least: random() < 0.5 ? amount : 1n }
  return kind === 'grant' && random() < 0.1 ? { kind, cause, amount: 0n } : { kind, cause, amount }
}

export const nameIn = (org: SimOrg): string => `${org.name}-${++org.count}`
/** Concurrent settlements of one hold agree on `isCounted`, because nothing shows which of them was applied. */
const isEven = (ref: string): boolean => /[02468]$/.test(ref)
const upTo = (random: Random, most: number): bigint => BigInt(Math.floor(random() * most))
const several = <T>(random: Random, least: number, most: number, make: () => T): T[] =>
  Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, make)
