// Follows an amount inside a function: to a request for a payment, or to a balance.

import type { Expr, FunctionDefinition } from '../ir.ts'
import { bodyParts, boundNames, type Part } from '../javascript/ir-walk.ts'
import type { SourceRange } from '../syntax/tree.ts'
import { PROVIDER } from './context.ts'
import { dottedName } from './sender/facts.ts'

const PAYS =
  /initiali[sz]e\w*$|(?:^|\.)(?:charge|payout|transfer|refund|stk_?push|lipa\w*|collect\w*|disburse|request_?to_?pay|requestPayment|initiate\w*|create_?(?:charge|payment_?intent|checkout\w*|transfer|order)|bulkTransfer|createTransfer)$/i
const PROVIDER_CLIENT =
  /(?:^|\.)(?:paystack|flw|flutterwave|rave|monnify|stripe|momo|mpesa|daraja|paymob|ozow|payfast|squad|interswitch|remita)(?:$|\.)/i
const PROVIDER_ADDRESS =
  /transaction\/initiali[sz]e|\/v3\/payments|\/charges?\b|init-transaction|stkpush|requesttopay|\/transfers?\b|\/payouts?\b|\/refunds?\b/i
/** Shown, logged or rounded values lose nothing. */
const SHOWS =
  /(?:^|\.)(?:toFixed|toLocaleString|format\w*|round|log|info|debug|print|json|jsonify|send|render|JsonResponse|Response|number_format|isNaN)$/i

const ROUNDS_MAX = 3

/** Whether the value of an expression is sent to a payment provider or changes a balance. */
export function reachesPayment(definition: FunctionDefinition, { start, end }: SourceRange): boolean {
  const parts = bodyParts(definition)
  const names = new Set<string>()
  const holds = (expr: Expr): boolean =>
    (expr.at.start <= start && end <= expr.at.end) || mentionsName(expr, names)
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = names.size
    for (const part of parts) for (const name of namesBoundBy(part, holds)) names.add(name)
    if (names.size === before) break
  }
  return parts.some((part) => pays(part, holds) || changesBalance(part, holds))
}

function namesBoundBy(part: Part, holds: (expr: Expr) => boolean): string[] {
  if (part.kind === 'declare' && part.value && !isShown(part.value) && holds(part.value))
    return boundNames(part.target)
  if (part.kind === 'assign' && part.target.kind === 'name' && !isShown(part.value) && holds(part.value))
    return [part.target.name]
  return []
}

const isShown = (expr: Expr): boolean => {
  if (expr.kind === 'same') return isShown(expr.value)
  return expr.kind === 'call' && (SHOWS.test(dottedName(expr.callee)) || !isPlainCall(expr.callee))
}

/** A conversion such as `parseFloat(x)`. The result of another call is another value. */
const isPlainCall = (callee: Expr): boolean =>
  /(?:^|\.)to_[fidr]$|^(?:(?:double|num|int)\.(?:parse|tryParse)|parseFloat|Number(?:\.parseFloat)?|float|floatval|str|String|int|parseInt|Math\.\w+|JSON\.stringify|json\.dumps|json_encode|abs|floor|ceil)$/.test(
    dottedName(callee),
  )

function pays(part: Part, holds: (expr: Expr) => boolean): boolean {
  if (part.kind !== 'call') return false
  const name = dottedName(part.callee)
  if (SHOWS.test(name)) return false
  const isPayment =
    PAYS.test(name) ||
    PROVIDER_CLIENT.test(name) ||
    part.args.some(({ value }) => {
      const text = textIn(value)
      return /^https?:|^\//.test(text) && (PROVIDER.test(text) || PROVIDER_ADDRESS.test(text))
    }) ||
    part.args.some(({ value }) => PROVIDER_ADDRESS.test(textIn(value)))
  return isPayment && part.args.some(({ value }) => value.kind !== 'function' && holds(value))
}

/** Whether a call sends an amount that a JavaScript handler read from its request. */
export function sendsAmountOfRequest(
  definition: FunctionDefinition,
  call: Extract<Expr, { kind: 'call' }>,
  source: (at: SourceRange) => string,
): boolean {
  const names = new Set<string>()
  const parts = bodyParts(definition)
  const holds = (expr: Expr): boolean => BODY_OF_REQUEST.test(source(expr.at)) || mentionsName(expr, names)
  for (let round = 0; round < ROUNDS_MAX; round++)
    for (const part of parts) {
      const isBody =
        part.kind === 'declare' && part.value !== null && BODY_OF_REQUEST.test(source(part.value.at))
      for (const name of isBody ? boundNames(part.target) : namesBoundBy(part, holds)) names.add(name)
    }
  return call.args.some(({ value }) => amountsIn(value).map(unconverted).some(holds))
}

/** `total` of `Math.round(Number(total))`. */
function unconverted(expr: Expr): Expr {
  const first = expr.kind === 'call' && isPlainCall(expr.callee) ? expr.args[0]?.value : undefined
  return first ? unconverted(first) : expr
}

/** The body itself or one of its fields, possibly converted: `(await c.req.json()).amount`, `Number(req.body.amount)`. */
const BODY_OF_REQUEST =
  /^\(*(?:(?:Number|String|parseInt|parseFloat|Math\.\w+)\(+)?(?:await\s+)?(?:\w+\.)?(?:req|request)\.(?:body|query|json\(\)|parseBody\(\))(?:\s+as\s[^;]*)?(?:[).]|\?\.|$)/

/** The values of the entries that are amounts, such as `unit_amount`, at any depth. */
function amountsIn(expr: Expr): Expr[] {
  if (expr.kind === 'list') return expr.items.flatMap(({ value }) => amountsIn(value))
  if (expr.kind !== 'map') return []
  return expr.entries.flatMap(({ key, value }) =>
    key?.kind === 'literal' && AMOUNT_KEY.test(String(key.value)) ? [value] : amountsIn(value),
  )
}

const AMOUNT_KEY = /^(?:unit_?)?amount(?:_?(?:minor|kobo|in_?kobo))?$/i

const textIn = (expr: Expr): string => {
  if (expr.kind === 'literal') return typeof expr.value === 'string' ? expr.value : ''
  if (expr.kind === 'template') return expr.parts.map(textIn).join('')
  return expr.kind === 'binary' && expr.operator === '+' ? textIn(expr.left) + textIn(expr.right) : ''
}

function changesBalance(part: Part, holds: (expr: Expr) => boolean): boolean {
  if (part.kind === 'assign') {
    const name = dottedName(part.target).toLowerCase()
    return name.includes('balance') && part.target.kind !== 'name' && isSum(part) && holds(part.value)
  }
  if (part.kind !== 'call') return false
  const isIncrement = /(?:^|\.)(?:increment|decrement)$/.test(dottedName(part.callee))
  return isIncrement && part.args.some(({ value }) => holds(value))
}

const isSum = ({ operator, value }: Extract<Part, { kind: 'assign' }>): boolean =>
  operator === '+' || operator === '-' || (value.kind === 'binary' && /^[-+]$/.test(value.operator))

function mentionsName(expr: Expr, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false
  switch (expr.kind) {
    case 'name':
      return names.has(expr.name)
    case 'member':
      return mentionsName(expr.object, names)
    case 'index':
      return mentionsName(expr.object, names)
    case 'binary':
      return mentionsName(expr.left, names) || mentionsName(expr.right, names)
    case 'unary':
      return mentionsName(expr.operand, names)
    case 'same':
    case 'cast':
      return mentionsName(expr.value, names)
    case 'call':
      return !isShown(expr) && expr.args.some(({ value }) => mentionsName(value, names))
    case 'map':
      return expr.entries.some(({ value }) => mentionsName(value, names))
    case 'list':
      return expr.items.some(({ value }) => mentionsName(value, names))
    case 'template':
      return expr.parts.some((part) => mentionsName(part, names))
    case 'conditional':
      return mentionsName(expr.then, names) || mentionsName(expr.otherwise, names)
    default:
      return false
  }
}
