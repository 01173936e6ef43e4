// Explains a ledger entry from stored facts: terms, usage, calculation and place in the hash chain.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { type Currency, describeCurrency, format, money, ngn } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import {
  type ClassUsage,
  calculateCharge,
  HoldTerms,
  minorOf,
  priceOfTerms,
  splitByClass,
  type TokenClass,
  type TokenCounts,
  Usage,
} from '../holds/hold-pricing.ts'
import type { EntryId } from '../ledger/postings.ts'
import * as sql from './explain-sql.ts'

export async function explainEntry(app: App, orgId: OrgId, id: EntryId) {
  const { details, hold } = await app.db.tx(orgId, async (tx) => ({
    details: await sql.readEntryDetails(tx, orgId, id),
    hold: await sql.findHoldOfEntry(tx, orgId, id),
  }))
  if (!details) throw new ApiError('not_found')
  const { account, cause, currency, seq, hash, previousHash, ...entry } = details
  return {
    entry,
    explanation: hold ? explainCharge(details, hold) : explainPosting(details),
    chain: { seq, hash: hex(hash), previousHash: hex(previousHash) },
  }
}

type EntryKind = 'topup' | 'refund' | 'adjustment' | 'subscription' | 'reversal' | 'trial'

function explainPosting(entry: sql.EntryDetails) {
  const kind = kindOf(entry)
  const { ref, account, createdAt } = entry
  const rail = account?.startsWith('clearing:') ? account.slice('clearing:'.length) : null
  const isOfPayment =
    kind === 'topup' || (kind === 'refund' && !isReturnedCharge(entry)) || kind === 'reversal'
  return {
    kind,
    summary: describePosting(kind, entry),
    metered: null,
    hold: null,
    settlement: null,
    payment: isOfPayment ? { reference: ref, rail, at: createdAt } : null,
  }
}

function describePosting(kind: EntryKind, entry: sql.EntryDetails): string {
  const { cause, amountMinor, currency, ref } = entry
  const amount = format(money(amountMinor, currency))
  if (isReturnedCharge(entry))
    return `We returned ${amount} for ${ref}, because we do not charge for our failures.`
  const [, returned] = /^return \S+ (refund|dispute):/.exec(cause ?? '') ?? []
  if (returned === 'refund')
    return `The provider refunded part of the payment ${ref} to the payer. We debited ${amount}, the part that was available in the wallet.`
  if (returned === 'dispute')
    return `The payer's bank decided the dispute about the payment ${ref} in favour of the payer. We debited ${amount}.`
  if (kind === 'trial' && entry.type === 'debit')
    return `${amount} of your trial credit expired. Your own money is unchanged.`
  return SUMMARIES[kind](amount, ref)
}

const SUMMARIES: Record<EntryKind, (amount: string, ref: string) => string> = {
  topup: (amount, ref) => `Payment of ${amount}, reference ${ref}.`,
  refund: (amount, ref) => `We refunded ${amount} of the payment ${ref}.`,
  adjustment: (amount) =>
    `Our staff credited ${amount}. Find the reason in the audit log of your organisation.`,
  subscription: (amount, ref) => `Subscription charge of ${amount}, reference ${ref}.`,
  trial: (amount) =>
    `Trial credit of ${amount} for your first work. It is spent before your own money. It cannot be withdrawn or refunded, and what is left of it expires.`,
  reversal: (amount, ref) =>
    `The provider reversed the payment ${ref}. We debited ${amount}, the part that was left in the wallet.`,
}

/** A returned usage charge, as opposed to a refunded payment. */
const isReturnedCharge = ({ account, source }: sql.EntryDetails): boolean =>
  account === 'refunds' && source !== 'refund'

function kindOf(entry: sql.EntryDetails): EntryKind {
  const { account, source } = entry
  if (account === 'reversals') return 'reversal'
  if (isReturnedCharge(entry)) return 'refund'
  if (source === 'refund' || source === 'adjustment' || source === 'subscription' || source === 'trial')
    return source
  return 'topup'
}

function explainCharge(entry: sql.EntryDetails, hold: sql.EntryHold) {
  const { amountMinor, includedMinor, chargedMinor, chargedIncludedMinor } = hold
  const metered = recalculateCharge(hold)
  return {
    kind: 'metered' as const,
    summary: summaryOf(entry, hold, metered),
    metered,
    hold: {
      id: hold.id,
      reservedMinor: amountMinor,
      includedMinor,
      reservedAt: hold.createdAt,
      deadline: hold.deadline,
    },
    settlement: {
      chargedMinor,
      fromIncludedMinor: chargedIncludedMinor,
      fromWalletMinor: chargedMinor - chargedIncludedMinor,
      releasedMinor: amountMinor - chargedMinor,
      at: entry.createdAt,
    },
    payment: null,
  }
}

/** Recalculates the charge from the hold. Null if the hold does not have all terms and usage. */
function recalculateCharge(hold: sql.EntryHold) {
  const terms = HoldTerms.safeParse(hold.terms)
  const usage = Usage.safeParse(hold.usage)
  if (!terms.success || !usage.success) return null
  const price = priceOfTerms(terms.data)
  const { model, tokens } = usage.data
  const counts = countsOf(usage.data)
  const {
    chargedMinor: costMinor,
    billedTokens,
    afterMicroKobo,
    usedMicroKobo,
  } = calculateCharge(terms.data, hold.amountMinor, counts)
  const beforeMicroKobo = BigInt(terms.data.beforeMicroKobo)
  const billedMicroKobo = afterMicroKobo - beforeMicroKobo
  const classes = price.classes && splitByClass(price.classes, counts).map(chargeOfClass)
  const figures = {
    exactKobo: kobo(billedMicroKobo),
    unbilledKobo: kobo(usedMicroKobo - billedMicroKobo),
    runBeforeMinor: minorOf(price, beforeMicroKobo),
    runAfterMinor: minorOf(price, afterMicroKobo),
    costMinor,
  }
  return {
    lane: terms.data.lane,
    model,
    tokens,
    billedTokens,
    promptTokens: usage.data.promptTokens ?? null,
    outputTokens: usage.data.outputTokens ?? null,
    cachedTokens: usage.data.cachedTokens ?? null,
    cacheWriteTokens: usage.data.cacheWriteTokens ?? null,
    reasoningTokens: usage.data.reasoningTokens ?? null,
    priceKoboPer1m: price.koboPer1m,
    classes,
    rateCard: price.rateCard,
    rate: terms.data.rate,
    ...figures,
    steps: stepsOf(terms.data, {
      billedTokens,
      classes,
      usedKobo: kobo(usedMicroKobo),
      beforeMicroKobo,
      afterMicroKobo,
      ...figures,
    }),
    recomputed: costMinor === hold.chargedMinor,
  }
}

/** Usage that other work stored has only the sum of its tokens, and one price for all of them. */
const countsOf = ({ tokens, promptTokens, outputTokens, ...parts }: Usage): TokenCounts =>
  promptTokens === undefined || outputTokens === undefined
    ? { promptTokens: Number(tokens), outputTokens: 0 }
    : { ...parts, promptTokens, outputTokens }

type ClassCharge = { class: TokenClass; tokens: bigint; priceKoboPer1m: bigint; exactKobo: string }

const chargeOfClass = ({ tokenClass, tokens, koboPer1m }: ClassUsage): ClassCharge => ({
  class: tokenClass,
  tokens,
  priceKoboPer1m: koboPer1m,
  exactKobo: kobo(tokens * koboPer1m),
})

type ChargeFigures = {
  billedTokens: bigint
  classes: ClassCharge[] | null
  usedKobo: string
  unbilledKobo: string
  beforeMicroKobo: bigint
  afterMicroKobo: bigint
  exactKobo: string
  runBeforeMinor: bigint
  runAfterMinor: bigint
  costMinor: bigint
}

function stepsOf({ koboPer1m, currency, rate }: HoldTerms, figures: ChargeFigures): string[] {
  const { billedTokens, classes, beforeMicroKobo, afterMicroKobo, exactKobo } = figures
  const { numerator, denominator } = rate
  const before = kobo(beforeMicroKobo)
  const after = kobo(afterMicroKobo)
  const converted = decimal(afterMicroKobo * BigInt(numerator), 1_000_000n * BigInt(denominator))
  const minorName = describeCurrency(currency).minorName
  const isFirst = beforeMicroKobo === 0n
  return [
    ...(classes
      ? stepsOfClasses(classes, figures)
      : [`${billedTokens} tokens × ${koboPer1m} kobo per million = ${exactKobo} kobo`]),
    ...(isFirst ? [] : [`${before} kobo of earlier turns + ${exactKobo} kobo = ${after} kobo`]),
    ...(currency === 'NGN'
      ? []
      : [`${after} kobo × ${numerator}/${denominator} = ${converted} ${minorName}`]),
    `${converted} rounded up = ${figures.runAfterMinor}`,
    ...(isFirst
      ? []
      : [
          `${figures.runAfterMinor} − ${figures.runBeforeMinor} charged for earlier turns = ${figures.costMinor}`,
        ]),
  ]
}

const CLASS_NAMES: Record<TokenClass, string> = {
  input: 'input',
  cachedInput: 'cached input',
  cacheWrite: 'cache write',
  output: 'output',
}

function stepsOfClasses(
  classes: readonly ClassCharge[],
  { usedKobo, unbilledKobo, exactKobo }: ChargeFigures,
): string[] {
  const used = classes.filter(({ tokens }) => tokens > 0n)
  return [
    ...used.map(
      ({ class: name, tokens, priceKoboPer1m, exactKobo: cost }) =>
        `${tokens} ${CLASS_NAMES[name]} tokens × ${priceKoboPer1m} kobo per million = ${cost} kobo`,
    ),
    ...(used.length > 1 ? [`${used.map(({ exactKobo: cost }) => cost).join(' + ')} = ${usedKobo} kobo`] : []),
    ...(unbilledKobo === '0'
      ? []
      : [`${usedKobo} kobo − ${unbilledKobo} kobo beyond the reservation = ${exactKobo} kobo`]),
  ]
}

function summaryOf(
  entry: sql.EntryDetails,
  hold: sql.EntryHold,
  metered: ReturnType<typeof recalculateCharge>,
): string {
  const { currency } = entry
  const charged = format(money(hold.chargedMinor, currency))
  if (!metered) return `Work with reference ${entry.ref}: ${charged}.`
  const card = currency === 'NGN' ? '' : `, converted by the rate card ${metered.rateCard}`
  const allowance =
    hold.chargedIncludedMinor === 0n ? '' : ` ${describeAllowance(hold.chargedIncludedMinor, currency)}`
  return `${describeTokens(metered)}${card}: ${charged}.${allowance}`
}

function describeTokens({
  classes,
  tokens,
  billedTokens,
  model,
  lane,
  priceKoboPer1m,
}: NonNullable<ReturnType<typeof recalculateCharge>>): string {
  if (!classes)
    return `${grouped(billedTokens)} tokens on the ${lane} lane at ${format(ngn(priceKoboPer1m))} per million`
  const parts = classes
    .filter((each) => each.tokens > 0n)
    .map((each) => `${grouped(each.tokens)} ${CLASS_NAMES[each.class]}`)
  return `${grouped(tokens)} tokens of ${model} (${parts.join(', ')})`
}

const describeAllowance = (minor: bigint, currency: Currency): string =>
  `Your plan’s allowance paid ${format(money(minor, currency))} of it.`

const grouped = (count: bigint): string => count.toString().replace(/\B(?=(\d{3})+$)/g, ',')
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const kobo = (micro: bigint): string => decimal(micro, 1_000_000n)

const DECIMALS_MAX = 24n

/** An exact quotient: a decimal number if it is finite, otherwise a fraction. */
function decimal(numerator: bigint, denominator: bigint): string {
  const scaled = numerator * 10n ** DECIMALS_MAX
  if (scaled % denominator !== 0n) return `${numerator}/${denominator}`
  const digits = (scaled / denominator).toString().padStart(Number(DECIMALS_MAX) + 1, '0')
  const whole = digits.slice(0, -Number(DECIMALS_MAX))
  const fraction = digits.slice(-Number(DECIMALS_MAX)).replace(/0+$/, '')
  return fraction ? `${whole}.${fraction}` : whole
}
