// Explains a ledger entry from stored facts: terms, usage, calculation and place in the hash chain.
import { quotient } from '../../kernel/decimal.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { describeCurrency, money, ngn } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Language } from '../../platform/texts/language.ts'
import { formatMoney, say, withSeparators } from '../../platform/texts/texts.ts'
import { type AccruedCharge, calculateAccrued } from '../holds/accrual.ts'
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
import { stepsOfAccrued, toAccrual } from './explain-accrual.ts'
import * as sql from './explain-sql.ts'

export async function explainEntry(app: App, orgId: OrgId, id: EntryId, language: Language = 'en') {
  const { details, hold } = await app.db.tx(orgId, async (tx) => ({
    details: await sql.readEntryDetails(tx, orgId, id),
    hold: await sql.findHoldOfEntry(tx, orgId, id),
  }))
  if (!details) throw new ApiError('not_found')
  const { account, cause, currency, seq, hash, previousHash, ...entry } = details
  return {
    entry,
    explanation: hold ? explainCharge(language, details, hold) : explainPosting(language, details),
    chain: { seq, hash: hex(hash), previousHash: hex(previousHash) },
  }
}

type EntryKind = 'topup' | 'refund' | 'adjustment' | 'subscription' | 'reversal' | 'trial'

function explainPosting(language: Language, entry: sql.EntryDetails) {
  const kind = kindOf(entry)
  const { ref, account, createdAt } = entry
  const rail = account?.startsWith('clearing:') ? account.slice('clearing:'.length) : null
  const isOfPayment =
    kind === 'topup' || (kind === 'refund' && !isReturnedCharge(entry)) || kind === 'reversal'
  return {
    kind,
    summary: describePosting(language, kind, entry),
    metered: null,
    hold: null,
    settlement: null,
    payment: isOfPayment ? { reference: ref, rail, at: createdAt } : null,
  }
}

function describePosting(language: Language, kind: EntryKind, entry: sql.EntryDetails): string {
  const { cause, amountMinor, currency, ref } = entry
  const amount = formatMoney(language, money(amountMinor, currency))
  if (isReturnedCharge(entry))
    return say(language, 'We returned {amount} for {ref}, because we do not charge for our failures.', {
      amount,
      ref,
    })
  if (cause?.startsWith('refund_to_source ')) return say(language, REFUNDED_TO_PAYER, { amount, ref })
  const [, returned] = /^return \S+ (refund|dispute):/.exec(cause ?? '') ?? []
  if (returned === 'refund' || returned === 'dispute')
    return say(language, RETURNED[returned], { amount, ref })
  if (kind === 'trial')
    return say(language, entry.type === 'debit' ? TRIAL_EXPIRED : TRIAL_CREDIT, { amount })
  if (kind === 'adjustment') return say(language, ADJUSTED, { amount })
  return say(language, SUMMARIES[kind], { amount, ref })
}

const SUMMARIES = {
  topup: 'Payment of {amount}, reference {ref}.',
  refund: 'We refunded {amount} of the payment {ref}.',
  subscription: 'Subscription charge of {amount}, reference {ref}.',
  reversal:
    'The provider reversed the payment {ref}. We debited {amount}, the part that was left in the wallet.',
} as const
const RETURNED = {
  refund:
    'The provider refunded part of the payment {ref} to the payer. We debited {amount}, the part that was available in the wallet.',
  dispute:
    "The payer's bank decided the dispute about the payment {ref} in favour of the payer. We debited {amount}.",
} as const
const REFUNDED_TO_PAYER =
  'We refunded {amount} of the payment {ref} to the card, account or phone that paid, and debited it here.'
const ADJUSTED = 'Our staff credited {amount}. Find the reason in the audit log of your organisation.'
const TRIAL_EXPIRED = '{amount} of your trial credit expired. Your own money is unchanged.'
const TRIAL_CREDIT =
  'Trial credit of {amount} for your first work. It is spent before your own money. It cannot be withdrawn or refunded, and what is left of it expires.'

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

function explainCharge(language: Language, entry: sql.EntryDetails, hold: sql.EntryHold) {
  const { amountMinor, includedMinor, chargedMinor, chargedIncludedMinor } = hold
  const metered = recalculateCharge(language, hold)
  return {
    kind: 'metered' as const,
    summary: summaryOf(language, entry, hold, metered),
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
function recalculateCharge(language: Language, hold: sql.EntryHold) {
  const stored = HoldTerms.safeParse(hold.terms)
  const usage = Usage.safeParse(hold.usage)
  if (!stored.success || !usage.success) return null
  const { model, tokens, exactCost, paidBefore } = usage.data
  const accrued =
    exactCost === undefined || paidBefore === undefined ? null : calculateAccrued({ exactCost, paidBefore })
  // An earlier release settled a hold of this one without accrual.
  const terms = { ...stored.data, ...(accrued === null && { accrues: undefined }) }
  const price = priceOfTerms(terms)
  const counts = countsOf(usage.data)
  const charge = calculateCharge(terms, hold.amountMinor, counts)
  const { billedTokens, afterMicroKobo, usedMicroKobo } = charge
  const costMinor = accrued?.chargedMinor ?? charge.chargedMinor
  const beforeMicroKobo = BigInt(terms.beforeMicroKobo)
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
    lane: terms.lane,
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
    rate: terms.rate,
    ...figures,
    accrual: accrued && toAccrual(language, terms.currency, accrued),
    steps: stepsOf(language, terms, {
      billedTokens,
      classes,
      usedKobo: kobo(usedMicroKobo),
      beforeMicroKobo,
      afterMicroKobo,
      accrued,
      ...figures,
    }),
    recomputed:
      costMinor === hold.chargedMinor && (accrued === null || accrued.exactCost === charge.exactCost),
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
  accrued: AccruedCharge | null
  exactKobo: string
  runBeforeMinor: bigint
  runAfterMinor: bigint
  costMinor: bigint
}

function stepsOf(
  language: Language,
  { koboPer1m, currency, rate }: HoldTerms,
  figures: ChargeFigures,
): string[] {
  const { billedTokens, classes, beforeMicroKobo, afterMicroKobo, exactKobo, accrued } = figures
  const { numerator, denominator } = rate
  const number = numberIn(language)
  const before = number(kobo(beforeMicroKobo))
  // An accrued charge is rounded with other charges, not with its run.
  const after = number(accrued ? exactKobo : kobo(afterMicroKobo))
  const cost = number(exactKobo)
  const exact = number(
    accrued?.exactCost ?? quotient(afterMicroKobo * BigInt(numerator), 1_000_000n * BigInt(denominator)),
  )
  const isFirst = beforeMicroKobo === 0n || accrued !== null
  const steps = classes
    ? stepsOfClasses(language, classes, figures)
    : [say(language, TOKENS_STEP, { count: `${billedTokens}`, price: `${koboPer1m}`, cost })]
  if (!isFirst)
    steps.push(
      say(language, '{before} kobo of earlier turns + {cost} kobo = {after} kobo', { before, cost, after }),
    )
  if (currency !== 'NGN')
    steps.push(
      say(language, '{after} kobo × {rate} = {converted} {unit}', {
        after,
        rate: `${numerator}/${denominator}`,
        converted: exact,
        unit: describeCurrency(currency).minorName,
      }),
    )
  if (accrued) return [...steps, ...stepsOfAccrued(language, accrued)]
  steps.push(say(language, '{exact} rounded up = {rounded}', { exact, rounded: `${figures.runAfterMinor}` }))
  if (!isFirst)
    steps.push(
      say(language, '{total} − {charged} charged for earlier turns = {cost}', {
        total: `${figures.runAfterMinor}`,
        charged: `${figures.runBeforeMinor}`,
        cost: `${figures.costMinor}`,
      }),
    )
  return steps
}

const TOKENS_STEP = '{count} tokens × {price} kobo per million = {cost} kobo'
const CLASS_STEPS = {
  input: '{count} input tokens × {price} kobo per million = {cost} kobo',
  cachedInput: '{count} cached input tokens × {price} kobo per million = {cost} kobo',
  cacheWrite: '{count} cache write tokens × {price} kobo per million = {cost} kobo',
  output: '{count} output tokens × {price} kobo per million = {cost} kobo',
} as const satisfies Record<TokenClass, string>
const CLASS_COUNTS = {
  input: '{count} input',
  cachedInput: '{count} cached input',
  cacheWrite: '{count} cache write',
  output: '{count} output',
} as const satisfies Record<TokenClass, string>

function stepsOfClasses(
  language: Language,
  classes: readonly ClassCharge[],
  { usedKobo, unbilledKobo, exactKobo }: ChargeFigures,
): string[] {
  const number = numberIn(language)
  const used = classes.filter(({ tokens }) => tokens > 0n)
  const steps = used.map(({ class: name, tokens, priceKoboPer1m, exactKobo: cost }) =>
    say(language, CLASS_STEPS[name], { count: `${tokens}`, price: `${priceKoboPer1m}`, cost: number(cost) }),
  )
  const sum = number(usedKobo)
  if (used.length > 1) {
    const parts = used.map(({ exactKobo: cost }) => number(cost)).join(' + ')
    steps.push(say(language, '{parts} = {sum} kobo', { parts, sum }))
  }
  if (unbilledKobo !== '0')
    steps.push(
      say(language, '{used} kobo − {unbilled} kobo beyond the reservation = {billed} kobo', {
        used: sum,
        unbilled: number(unbilledKobo),
        billed: number(exactKobo),
      }),
    )
  return steps
}

function summaryOf(
  language: Language,
  entry: sql.EntryDetails,
  hold: sql.EntryHold,
  metered: ReturnType<typeof recalculateCharge>,
): string {
  const { currency, ref } = entry
  const amount = formatMoney(language, money(hold.chargedMinor, currency))
  if (!metered) return say(language, 'Work with reference {ref}: {amount}.', { ref, amount })
  const work = describeTokens(language, metered)
  const summary =
    currency === 'NGN'
      ? say(language, '{work}: {amount}.', { work, amount })
      : say(language, '{work}, converted by the rate card {card}: {amount}.', {
          work,
          card: metered.rateCard,
          amount,
        })
  if (hold.chargedIncludedMinor === 0n) return summary
  const included = formatMoney(language, money(hold.chargedIncludedMinor, currency))
  return `${summary} ${say(language, 'Your plan’s allowance paid {amount} of it.', { amount: included })}`
}

function describeTokens(
  language: Language,
  {
    classes,
    tokens,
    billedTokens,
    model,
    lane,
    priceKoboPer1m,
  }: NonNullable<ReturnType<typeof recalculateCharge>>,
): string {
  const count = (tokens: bigint) => withSeparators(language, grouped(tokens))
  if (!classes)
    return say(language, '{count} tokens on the {lane} lane at {price} per million', {
      count: count(billedTokens),
      lane: say(language, lane),
      price: formatMoney(language, ngn(priceKoboPer1m)),
    })
  const parts = classes
    .filter((each) => each.tokens > 0n)
    .map((each) => say(language, CLASS_COUNTS[each.class], { count: count(each.tokens) }))
  return say(language, '{count} tokens of {model} ({classes})', {
    count: count(tokens),
    model,
    classes: parts.join(language === 'ar' ? '، ' : ', '),
  })
}

const numberIn = (language: Language) => (english: string) => withSeparators(language, english)
const grouped = (count: bigint): string => count.toString().replace(/\B(?=(\d{3})+$)/g, ',')
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const kobo = (micro: bigint): string => quotient(micro, 1_000_000n)
