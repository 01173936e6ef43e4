// Rules about card numbers, identity numbers, PINs and one-time codes.

import type { Expr } from '../../ir.ts'
import type { CallEvent, EvaluatedArgument, Hit, Rule } from '../../rule.ts'
import { bodyOf, isDevelopmentOnly, lastNameOf } from '../context.ts'

const EVERY = ['javascript', 'python', 'java', 'go', 'php', 'csharp', 'kotlin', 'ruby', 'dart'] as const

export const privacyRules: readonly Rule[] = [
  {
    id: 'FIN-PII-01',
    title: 'A card or identity number is logged',
    cwe: 532,
    severity: 'error',
    confidence: 'high',
    languages: EVERY,
    message:
      'Logs are copied, shipped and kept. A card number, CVV, PIN, BVN or NIN in them is a breach that must be reported.',
    fix: 'Log an internal id or the last four digits. Configure the logger to redact these fields by name.',
    on: { call: loggedNumber },
  },
  {
    id: 'FIN-PII-02',
    title: 'A whole request with payment or identity data is logged',
    cwe: 532,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript', 'python', 'php'],
    message:
      'The data of customers (cards, passwords, identity numbers) is written in full and visible to everyone who can read the log.',
    fix: 'Log the ids and the status of the request, not its body.',
    on: { call: loggedBody },
  },
  {
    id: 'FIN-OTP-01',
    title: 'A one-time code is returned to the client that requests it',
    cwe: 200,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript', 'python', 'php'],
    message: 'The code proves possession of the phone. If the response contains it, it proves nothing.',
    fix: 'Send it only by SMS or email, and respond only that it was sent.',
    on: { call: answeredCode },
  },
  {
    id: 'FIN-PIN-01',
    title: 'A transaction PIN is stored in plain text',
    cwe: 916,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript', 'python', 'php'],
    message:
      'Four digits are ten thousand guesses. Anyone who can read the table can spend from every wallet.',
    fix: 'Store an Argon2 or bcrypt hash, and limit failed attempts.',
    on: { call: storedPin },
  },
]

const LOGS =
  /^(?:console\.(?:log|info|warn|error|debug)|(?:\w+\.)*(?:log|logger|logging|Log|LOG|logrus|slog|zap|winston|pino)(?:\(\))?\.(?:log|info|warn|warning|error|debug|trace|Printf|Println|Print|Infof|Errorf|Debugf)|print|print_r|var_dump|error_log|logger|System\.out\.print(?:ln|f)?|fmt\.Print(?:ln|f)?|log\.Print(?:ln|f)?)$/

/**
 * The possible endings of logging calls and the longest of them. This rejects nearly all other calls
 * cheaply.
 */
const LOG_ENDING =
  /(?:log|info|warn|error|debug|warning|trace|Printf|Println|Print|Infof|Errorf|Debugf|print|print_r|var_dump|error_log|logger|println|printf)$/
const LOG_ENDING_MAX = 9

const isLog = (event: CallEvent): boolean => mayLog(event) && readsAsLog(event)

/** The name of a method is also the end of the text of the call, so most calls are rejected by their names. */
function mayLog(event: CallEvent): boolean {
  const { name, method } = event
  if (LOG_ENDING.test(method) || LOG_ENDING.test(name)) return true
  if (event.receiver !== null || !name.includes('.')) return false
  // An imported function can have another name here.
  const { end } = event.expr.callee.at
  return LOG_ENDING.test(event.text.slice(Math.max(0, end - LOG_ENDING_MAX), end))
}

const readsAsLog = ({ name, method, expr, source }: CallEvent): boolean =>
  LOGS.test(name.replace(/^\?\./, 'log.'))
    ? LOGS.test(name) || /log/i.test(source(expr.callee.at))
    : LOGS.test(source(expr.callee.at).replace(/::|->/g, '.').replace(/\$/g, '')) ||
      (name === '' && LOGS.test(method))

/** Fields that hold only such numbers. */
const NUMBERS =
  /^(?:pan|card_?(?:number|no|pan)|cardNumber|cvv2?|cvc|card_?pin|transaction_?pin|transactionPin|bvn|bank_?verification_?number|nin|national_?id(?:entity|entification)?_?number|ssn|id_?number|idNumber)$/i

const MASKED = /mask|redact|last4|last_4|slice\(\s*-4|substr\(\s*-4|\[-4:\]|hash|sha256|truncate|hide|\*\*\*/i

function loggedNumber(event: CallEvent): Hit | undefined {
  if (!isLog(event)) return undefined
  const given = event.args.find(({ expr }) => numberIn(expr, 0) !== null)
  if (!given || MASKED.test(event.source(event.expr.at))) return undefined
  return { at: event.expr.at, detail: `\`${numberIn(given.expr, 0)}\` is logged.` }
}

const DEPTH_MAX = 4

/** The field itself, also inside a string, list or map. */
function numberIn(expr: Expr, depth: number): string | null {
  if (depth > DEPTH_MAX) return null
  const first = (parts: readonly Expr[]) =>
    parts.map((part) => numberIn(part, depth + 1)).find((found) => found !== null) ?? null
  switch (expr.kind) {
    case 'name':
    case 'member':
    case 'index': {
      const name = lastNameOf(expr)
      return NUMBERS.test(name) ? name : null
    }
    case 'template':
      return first(expr.parts)
    case 'binary':
      return expr.operator === '+' || expr.operator === '%' ? first([expr.left, expr.right]) : null
    case 'map':
      return first(expr.entries.map(({ value }) => value))
    case 'list':
      return first(expr.items.map(({ value }) => value))
    case 'same':
      return numberIn(expr.value, depth)
    default:
      return null
  }
}

const SENSITIVE =
  /payment|paystack|flutterwave|monnify|wallet|webhook|\bcards?\b|kyc|transfer|payout|login|sign-?in|register|password|\bpin\b|bvn|charge/i

function loggedBody(event: CallEvent): Hit | undefined {
  if (!isLog(event) || isDevelopmentOnly(event)) return undefined
  const [definition] = event.functions
  const given = event.args.find(isWholeBody(event))
  if (!given || !definition) return undefined
  // The route is written before its handler.
  const before = event.text.slice(event.text.lastIndexOf('\n', definition.at.start) + 1, definition.at.start)
  const around = `${event.path} ${before} ${definition.name} ${bodyOf(event, definition.at).slice(0, 4_000)}`
  return SENSITIVE.test(around) ? { at: event.expr.at } : undefined
}

const isWholeBody =
  ({ source }: CallEvent) =>
  ({ expr }: EvaluatedArgument): boolean =>
    /^(?:JSON\.stringify\(\s*)?(?:req|request|ctx\.request)\.body\s*\)?$|^request\.(?:data|POST|json|form|get_json\(\))$|^(?:json_encode\()?\$request->all\(\)\)?$|^(?:print_r\()?\$_POST\b[^[]*$|^json\.dumps\(request\.(?:data|POST|json)\b/.test(
      source(expr.at),
    )

function answeredCode(event: CallEvent): Hit | undefined {
  const { method, language } = event
  const answers =
    language === 'javascript'
      ? /^(?:json|send|jsonp|end)$/.test(method) &&
        /^(?:res|reply|response|ctx|c)\b/.test(event.source(event.expr.callee.at))
      : language === 'python'
        ? /^(?:jsonify|JsonResponse|Response)$/.test(method)
        : method === 'json'
  if (!answers || isDevelopmentOnly(event)) return undefined
  const { args, expr } = event
  const told = args.some(
    ({ expr: each }) =>
      each.kind === 'map' &&
      each.entries.some(
        ({ key, value }) =>
          /^(?:otp|otpCode|otp_code|verificationCode|verification_code|one_?time_?(?:code|password))$/i.test(
            key ? lastNameOf(key) || String(key.kind === 'literal' ? key.value : '') : '',
          ) &&
          value.kind !== 'literal' &&
          isCode(value),
      ),
  )
  return told ? { at: expr.at } : undefined
}

/** The code itself, not a text about it. */
const isCode = (value: Expr): boolean =>
  (value.kind === 'name' || value.kind === 'member') &&
  /otp|code|password/i.test(lastNameOf(value)) &&
  !/sent|status|expires|length|required|hash/i.test(lastNameOf(value))

function storedPin(event: CallEvent): Hit | undefined {
  const { method, args, expr } = event
  if (
    !/^(?:create|update|updateOne|insert|insertOne|findByIdAndUpdate|findOneAndUpdate|save|forceFill|fill)$/.test(
      method,
    )
  )
    return undefined
  const stored = args.some(({ value }) =>
    pinIn(
      value.fields?.get('pin') ?? value.fields?.get('transactionPin') ?? value.fields?.get('transaction_pin'),
    ),
  )
  return stored ? { at: expr.at } : undefined
}

const pinIn = (value: CallEvent['args'][number]['value'] | undefined): boolean =>
  value?.taints.some(
    ({ origin, unknownCalls, sanitizedFor }) =>
      origin === 'request' && unknownCalls === 0 && !sanitizedFor.has('all'),
  ) ?? false
