// Recognizes code about money, payment providers and webhooks. The payment rules apply only there.

import type { Expr, FunctionDefinition } from '../ir.ts'
import type { CallEvent, EventContext, FunctionEvent } from '../rule.ts'
import { memoizeByText } from '../rule-helpers/memoize-by-text.ts'
import type { SourceRange } from '../syntax/tree.ts'
import { codeOf } from './code-text.ts'

export const PROVIDER =
  /paystack|flutterwave|rave[-_]?pay|monnify|interswitch|quickteller|remita|squadco|korapay|daraja|mpesa|m-pesa|mtn[-_]?momo|momoapi|stripe|opay|palmpay|ozow|fawry|paymob|payfast|yoco|peach[-_]?payments/i

const MONEY_WORD =
  /(?:^|[a-z_])(?:amount|price|balance|subtotal|fee|fees|kobo|naira|cedis|shillings|charge|payout|payable|total)(?:$|[A-Z_])/i
const NOT_MONEY =
  /rate|percent|pct|ratio|score|weight|count|quantity|qty|index|width|height|size|opacity|volume|scroll|duration|timeout|length|pages?$|items?$|loaded|progress/i

/** Matches `amount`, `orderTotal`, `balance_minor`, but not `feeRate` or `totalPages`. */
export const isMoneyName = (name: string): boolean => MONEY_WORD.test(name) && !NOT_MONEY.test(name)

/** A name that always means an amount of money, whatever the rest of the file is about. */
export const isAmountName = (name: string): boolean =>
  /^(?:amount|balance|price|unit_?price|total_?(?:amount|price)|fee|amount_?(?:paid|due)|wallet_?balance|account_?balance)$/i.test(
    name,
  )

const namesProvider = memoizeByText((text) => PROVIDER.test(text))

export const isAboutPayments = (where: Pick<EventContext, 'path' | 'text' | 'language'>): boolean =>
  namesProvider(where.path) || (namesProvider(where.text) && namesProvider(codeOf(where)))

/** The text of a range without comments. */
export const bodyOf = (where: Pick<EventContext, 'text' | 'language'>, { start, end }: SourceRange): string =>
  codeOf(where).slice(start, end)

/** The last segment of an expression: `amount` of `a.b.amount`. */
export function lastNameOf(expr: Expr): string {
  if (expr.kind === 'name') return expr.name
  if (expr.kind === 'member') return expr.property
  if (expr.kind === 'index') return expr.key.kind === 'literal' ? String(expr.key.value) : ''
  if (expr.kind === 'same') return lastNameOf(expr.value)
  // Ruby reads attributes through calls.
  if (expr.kind === 'call' && expr.callee.kind === 'member' && expr.args.length === 0)
    return expr.callee.property
  return ''
}

/** Event names of payment providers. */
const EVENT_NAMES =
  /['"](?:charge\.(?:success|completed|failed)|transfer\.(?:success|completed|failed)|payment_intent\.succeeded|checkout\.session\.completed|SUCCESSFUL_TRANSACTION|invoice\.paid|subscription\.create)['"]/

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** `send` of `sendWebhook` and `send_webhook`, in lower case. */
export const firstWord = (name: string): string =>
  (/^_*([A-Z]?[a-z0-9]+|[A-Z]+)/.exec(name)?.[1] ?? '').toLowerCase()

/** First words of functions that send, configure or list webhooks. */
export const SENDS = wordSet(
  'send emit trigger deliver dispatch notify register create list get resend retry generate build delete update setup configure initiate',
)

/** Whether a function handles webhooks of a payment provider. */
export function isProviderWebhook(event: FunctionEvent): boolean {
  const { route, definition, path } = event
  const named = `${route ?? ''} ${definition.name} ${path}`
  if (!/webhook|\bipn\b|callback|notif/i.test(named) || SENDS.has(firstWord(definition.name))) return false
  const body = bodyOf(event, definition.at)
  if (!isAboutPayments(event) && !EVENT_NAMES.test(body)) return false
  const readsMessage =
    /\bbody\b|request\.(?:data|json|POST|get_json)|->(?:all|input|getContent|json)\(|php:\/\/input|\$_POST|getReader|@RequestBody|\bparams\b|raw_post|readAsString|payload|\bevent\b/i.test(
      body,
    )
  return readsMessage && !/initiali[sz]e|redirect_url|callback_url\s*:/.test(body)
}

const WRITES =
  /^(?:save|create|insert|insertOne|insert_one|update|updateOne|update_one|updateMany|findOneAndUpdate|findByIdAndUpdate|increment|decrement|credit|creditWallet|debit|fulfil|fulfill|activate|persist|upsert|add_credit|bulk_create|firstOrCreate|updateOrCreate|save!|create!|update!|increment!|decrement!|update_columns?|update_attributes!?|update_counters|update_all|increment_counter|decrement_counter|insert_all|upsert_all)$/

/** Calls that write persistent data. */
export function writesIn({ calls }: FunctionEvent): CallEvent[] {
  return calls.filter(
    ({ method, args, receiver, name }) =>
      (WRITES.test(method) &&
        !/createHmac|createHash|^crypto\.|Object\.create|hash_hmac|\.update\(\)$|createHmac\(\)/.test(
          name + (receiver?.name ?? ''),
        )) ||
      (/^(?:query|execute|exec|exec_params|exec_query|exec_update|raw|statement|run|rawUpdate|rawInsert)$/.test(
        method,
      ) &&
        /^\s*(?:update|insert)\b/i.test(String(args[0]?.value.known ?? firstPiece(args[0])))),
  )
}

const firstPiece = (arg: CallEvent['args'][number] | undefined): string => {
  const first = arg?.value.pieces?.[0]
  return typeof first === 'string' ? first : ''
}

const ROW_LOCK = String.raw`for update|lockForUpdate|select_for_update|lock\s*:\s*(?:true|\{|t\.LOCK)|LOCK\.UPDATE|pessimistic|serializable|withLock|with_lock|lock!|\.lock\b|acquireLock|redlock|mutex|\.lock\(|@Version|optimistic|where[^;'"]{0,200}balance[^;'"]{0,40}(?:>=|gte|\$gte)`
const RELATIVE = String.raw`\$inc\b|\bincrement!?\(|\bdecrement!?\(|update_counters|update_all|\bF\(['"]|balance\s*[-+]\s*(?:\?|\$\d|:\w)|balance_minor\s*[-+]`

/** Row locks, which serialize concurrent requests. */
export const ROW_LOCKED = new RegExp(ROW_LOCK, 'i')
/** A row lock, or a change computed by the database. */
export const LOCKED_OR_RELATIVE = new RegExp(`${ROW_LOCK}|${RELATIVE}`, 'i')

export const isDevelopmentOnly = (event: Pick<EventContext, 'conditions' | 'source'>): boolean =>
  event.conditions.some(({ at }) =>
    /development|NODE_ENV|DEBUG|isDev|__DEV__|app\.debug|settings\.DEBUG/i.test(event.source(at)),
  )

export const functionText = (
  where: EventContext,
  definition: FunctionDefinition | undefined = where.functions[0],
): string => (definition ? bodyOf(where, definition.at) : '')
