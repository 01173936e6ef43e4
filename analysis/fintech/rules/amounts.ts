// Rules about the amount and status of a payment.
import { bodyParts } from '../../javascript/ir-walk.ts'
import type { AssignEvent, CallEvent, FunctionEvent, Hit, Rule } from '../../rule.ts'
import { sendsAmountOfRequest } from '../amount-flow.ts'
import { bodyOf, isAboutPayments, isProviderWebhook, lastNameOf, PROVIDER, writesIn } from '../context.ts'
import { isPending } from '../sender/pending.ts'

export const amountRules: readonly Rule[] = [
  {
    id: 'FIN-AMT-01',
    title: 'The client decides the price of an order',
    cwe: 602,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript', 'python', 'php', 'csharp', 'kotlin', 'ruby', 'dart'],
    message:
      'The amount comes from the request although the order, plan or cart is available. A buyer who changes the number in the request pays any price, such as one naira.',
    fix: 'Use the stored amount (order.totalMinor), never the amount from the request.',
    on: { function: priceOfClient },
  },
  {
    id: 'FIN-AMT-02',
    title: 'An amount may be negative',
    cwe: 1284,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript', 'python', 'php', 'csharp', 'kotlin', 'ruby', 'dart'],
    message:
      'Nothing checks that the amount is above zero. A transfer of −5 000 takes money from the recipient.',
    fix: 'Reject amounts that are not a whole number of minor units above zero before moving money.',
    on: { function: negativeAmount },
  },
  {
    id: 'FIN-AMT-03',
    title: 'The paid amount is not compared with the amount due',
    cwe: 345,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript', 'python', 'php', 'ruby', 'dart'],
    message:
      'The order is marked as paid whatever amount was received. A payment of one naira with the right reference is enough.',
    fix: 'Compare the amount and currency of the verified transaction with the order before marking it as paid.',
    on: { function: amountNotCompared },
  },
  {
    id: 'FIN-VER-01',
    title: 'The client decides that the payment succeeded',
    cwe: 602,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript', 'python', 'php', 'ruby', 'dart'],
    message: 'The status is read from the URL the buyer returns to. Anyone can write “success” there.',
    fix: 'Fetch the transaction from the provider by its reference, on the server, and trust only that response.',
    on: { function: statusOfClient },
  },
]

const REQUEST_FIELD =
  /\bparams(?:\[:|\.(?:require|fetch|dig)\([^)\n]*:)(?:amount|price|total)\b|queryParameters\[['"](?:amount|price|total)['"]\]|\bbody\[['"](?:amount|price|total)['"]\]|\b(?:req|request|ctx\.request|c\.req)\.(?:body|query|params)\.(?:amount|price|total|cost)\b|(?:request\.(?:data|POST|json|form|args)|data)(?:\.get\(|\[)\s*['"](?:amount|price|total)['"]|\$request->(?:amount|price|total)\b|\$request->(?:input|get|post)\(\s*['"](?:amount|price|total)['"]|\b(?:request|dto|model|input|body|command|payload)\.(?:Amount|Price|Total|amount|price|total)\b|\$_(?:POST|GET|REQUEST)\[\s*['"](?:amount|price|total)['"]|\{[^{}]*\b(?:amount|price|total)\b[^{}]*\}\s*=\s*(?:await\s+)?(?:req|request|ctx\.request)\.body/

const LOADS =
  /\b(?:Order|Plan|Cart|Product|Invoice|Booking|Course|Ticket|Package|order|plan|cart|product|invoice|booking|course)s?\w*(?:\.|::|->)(?:find\w*|get\w*|load|objects|query|where|first\w*|one)\b|findUnique\(|get_object_or_404\(\s*(?:Order|Plan|Cart|Product|Invoice|Booking|Course)/

const SELLS = /checkout|order|purchase|buy|cart|invoice|subscri|enrol|booking/i

function priceOfClient(event: FunctionEvent): Hit | undefined {
  if (!isAboutPayments(event)) return undefined
  const body = bodyOf(event, event.definition.at)
  const isScript = event.language === 'javascript'
  if (!REQUEST_FIELD.test(body) && !(isScript && REQUEST_JSON.test(body))) return undefined
  const sells = SELLS.test(`${event.route ?? ''} ${event.definition.name} ${event.path}`) || SOLD.test(body)
  if (!LOADS.test(body) && !sells) return undefined
  // A comparison with a stored amount is a check.
  if (
    /(?:amount|price|total)\w*\s*(?:[!=]==?|(?<![=-])[<>]=?)|(?:[!=]==?|(?<![=-])[<>]=?)\s*[\w.$>-]*(?:amount|price|total)|donat|top.?up|fund|deposit|contribut|withdraw|payout|repay|\btip/i.test(
      body,
    )
  )
    return undefined
  const call = event.calls.find(
    (each) =>
      (isCharge(each) && amountIsOfRequest(each, body)) ||
      (isScript &&
        (isCharge(each) || isChargingHelper(each)) &&
        sendsAmountOfRequest(event.definition, each.expr, event.source)),
  )
  return call ? { at: call.expr.at } : undefined
}

/** The body of Fetch requests, as in Next.js and Hono. */
const REQUEST_JSON = /\breq(?:uest)?\.(?:json|parseBody)\(\)/
/** The request names the thing that is sold. */
const SOLD = /\b(?:cart|order|product|plan|invoice|booking|course|ticket)_?[iI]ds?\b/

const CHARGE =
  /stkpush|requesttopay|checkout\.sessions\.create|transaction\/initiali[sz]e|\/v3\/payments|\/charges?\b|init-transaction|checkout\/sessions|paymentIntents|PaymentIntent(?:\.|::)create|\bcharges?(?:\.|::)create|initiali[sz]e(?:Transaction|Payment)?$|initialize_transaction/i

/** A helper, possibly of another file, calls the address where a provider starts a payment. */
function isChargingHelper({ expr: { callee }, lookUp }: CallEvent): boolean {
  const definition = callee.kind === 'name' ? lookUp(callee.name)?.callable?.definition : undefined
  return (
    definition !== undefined &&
    bodyParts(definition).some(
      (part) => part.kind === 'literal' && typeof part.value === 'string' && CHARGE.test(part.value),
    )
  )
}

const isCharge = ({ name, args, expr, source }: CallEvent): boolean =>
  CHARGE.test(name) ||
  args.some(({ value }) => typeof value.known === 'string' && CHARGE.test(value.known)) ||
  (CHARGE.test(source(expr.callee.at)) && PROVIDER.test(source(expr.callee.at)))

function amountIsOfRequest(event: CallEvent, body: string): boolean {
  const given = event.source(event.expr.at)
  if (REQUEST_FIELD.test(given)) return true
  // `{ amount } = req.body` or `const amount = req.body.amount`, then `amount` or `amount * 100` in the
  // call.
  return (
    /['"]?amount['"]?\s*(?::|=>|,|\})\s*(?:Math\.\w+\(|Number\(|parseInt\(|int\()?\$?amount\b|[{,]\s*amount\s*[,}]/.test(
      given,
    ) && REQUEST_FIELD.test(body)
  )
}

function negativeAmount(event: FunctionEvent): Hit | undefined {
  if (!/transfer|withdraw|send|payout|debit/i.test(`${event.route ?? ''} ${event.definition.name}`))
    return undefined
  const body = bodyOf(event, event.definition.at)
  if (!REQUEST_FIELD.test(body)) return undefined
  const isAsked =
    /amount\w*\s*[),]*\s*(?:<=?|>=?)\s*(?:0|1|MIN|min|\d)|(?:0|1)\s*(?:<=?|>=?)\s*[\w.$>-]*amount|positive|\.min\(|min:|gt:0|isInt\(|validat|schema|\bJoi\b|\bz\.|Math\.abs|abs\(|unsigned|rules\(|isPositive|decimal_places|serializer/i.test(
      body,
    )
  if (isAsked) return undefined
  const takes =
    event.assigns.find(
      ({ name, operator, isEntry, expr, source }) =>
        /balance/i.test(name) && (operator === '-' || (isEntry && /balance\s*-/.test(source(expr.at)))),
    ) ??
    event.calls.find(
      ({ method, args }) => method === 'decrement' && /balance/i.test(String(args[0]?.value.known ?? '')),
    )
  return takes ? { at: takes.expr.at } : undefined
}

const PAID = /^(?:paid|completed?|success(?:ful)?|active|settled|confirmed)$/i
const PAID_FIELD = /^(?:status|payment_?status|order_?status|paid|is_?paid)$/i

/** Whether an order is marked as paid by an assignment, inside a write, or by an SQL statement. */
function marksPaid({ assigns, calls, ...event }: FunctionEvent): boolean {
  const writes = writesIn({ assigns, calls, ...event })
  const isInWrite = ({ expr: { at } }: AssignEvent) =>
    writes.some(({ expr }) => expr.at.start <= at.start && at.end <= expr.at.end)
  return (
    assigns.some(
      (each) =>
        PAID_FIELD.test(each.name) &&
        (each.value.known === true || PAID.test(String(each.value.known ?? lastNameOf(each.expr)))) &&
        (each.isEntry ? isInWrite(each) : each.target.kind === 'member'),
    ) ||
    calls.some(({ args }) =>
      args.some(
        ({ name, value }) =>
          (name !== null &&
            PAID_FIELD.test(name) &&
            (value.known === true || PAID.test(String(value.known)))) ||
          /set\s[\s\S]{0,80}(?:status|paid)\w*\s*=\s*(?:'(?:paid|completed|success|successful)'|true|1\b)/i.test(
            String(value.known ?? ''),
          ),
      ),
    )
  )
}

function amountNotCompared(event: FunctionEvent): Hit | undefined {
  if (!isAboutPayments(event)) return undefined
  const body = bodyOf(event, event.definition.at)
  const verifies =
    /transaction\/verify|transactions\/[^'"`]*verify|verify(?:Transaction|Payment)|verify_(?:transaction|payment)/i.test(
      body,
    )
  if (!verifies && !isProviderWebhook(event)) return undefined
  const orders = /\b(?:order|invoice|booking|subscription|enrol?lment)\w*\b/i.test(body)
  if (!orders || !marksPaid(event)) return undefined
  if (
    /(?:amount|total|price)\w*[^;\n]{0,40}(?:[!=]==?|(?<![=-])[<>]=?|\.eq\(|bccomp|compareTo)|(?:[!=]==?|(?<![=-])[<>]=?)[^;\n]{0,40}(?:amount|total|price)|amount_?paid|assertAmount|checkAmount|matchesAmount/i.test(
      body,
    )
  )
    return undefined
  // Stripe charges the amount of the session that the server created.
  if (/constructEvent|construct_event|checkout\.session|payment_intent|stripe/i.test(body)) return undefined
  if (event.calls.some(filtersByAmount)) return undefined
  const paid = writesIn(event)[0]
  return paid ? { at: paid.expr.at } : undefined
}

/** The database compares: `updateOne({ reference, amount }, …)`, `.eq('amount', amount)`, `where … amount = $2`. */
function filtersByAmount({ method, args, expr }: CallEvent): boolean {
  const isAmount = (name: string | null) => name !== null && /amount|total|price/i.test(name)
  if (/^(?:eq|where|andWhere|match)$/.test(method) && isAmount(String(args[0]?.value.known ?? '')))
    return true
  if (/^(?:filter|filter_by|get|exclude)$/.test(method) && args.some(({ name }) => isAmount(name)))
    return true
  if (args.some(({ value }) => /\bwhere\b[\s\S]*(?:amount|total|price)/i.test(String(value.known ?? ''))))
    return true
  const [filter] = expr.args
  if (filter?.value.kind !== 'map' || !/^(?:update|find|where)/i.test(method)) return false
  const entries = filter.value.entries.flatMap(({ key, value }) =>
    key?.kind === 'literal' && key.value === 'where' && value.kind === 'map'
      ? value.entries
      : [{ key, value }],
  )
  const isUpdateOf = /^(?:update|updateOne|updateMany|findOneAndUpdate|find\w*|where)$/.test(method)
  return (
    isUpdateOf &&
    (args.length > 1 || entries.length !== filter.value.entries.length || /^find|^where/.test(method)) &&
    entries.some(({ key }) => key?.kind === 'literal' && isAmount(String(key.value)))
  )
}

function statusOfClient(event: FunctionEvent): Hit | undefined {
  const body = bodyOf(event, event.definition.at)
  if (!isAboutPayments(event) && !/payment|checkout|order/i.test(`${event.route ?? ''} ${event.path}`))
    return undefined
  if (/verify|requery|getTransaction|fetchTransaction|retrieve\(|signature|hmac/i.test(body)) return undefined
  const asked = event.compares.find(({ left, right, expr, source }) => {
    const said = left.known ?? right.known
    const other = left.known === undefined ? expr.left : expr.right
    return (
      /^(?:success|successful|completed|paid)$/i.test(String(said)) &&
      /(?:query|args|GET|params|\$_GET|\$request->)[\s\S]{0,20}status/.test(source(other.at))
    )
  })
  if (!asked || writesIn(event).every(({ expr }) => isPending(expr))) return undefined
  return { at: asked.expr.at }
}
