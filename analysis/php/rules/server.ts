import type { AbstractValue } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'

/** Rules about mail headers, cookies and debug output. */
export const mailHeaders: Rule = {
  id: 'PH-HEADER-01',
  title: 'A mail header is built from input',
  cwe: 93,
  severity: 'error',
  confidence: 'medium',
  languages: ['php'],
  message:
    'Input becomes part of the headers of an email. With a line break it adds recipients, and this server sends spam.',
  fix: 'Validate it with `filter_var($mail, FILTER_VALIDATE_EMAIL)`, pass headers as an array, or use a mail library.',
  on: {
    call: (event) => {
      if (event.name !== 'mail' || event.receiver) return undefined
      const headers = event.arg(3)?.value
      const found = headers && findTaintedInterpolation(headers, ['header'], isDirectRequest)
      return found && !/FILTER_VALIDATE_EMAIL/.test(event.text)
        ? flowHit(event.expr.at, found.taint, 'the headers of an email')
        : undefined
    },
  },
}

/** Session cookies without secure or httponly. */
export const openCookie: Rule = {
  id: 'PH-COOKIE-01',
  title: 'A session cookie is sent without secure or httponly',
  cwe: 614,
  severity: 'warn',
  confidence: 'medium',
  languages: ['php'],
  message:
    'Without `secure` the cookie is also sent over plain HTTP, where anyone on the network path can read it. Without `httponly` any script in the page can. The cookie is enough to be signed in.',
  fix: 'Pass `["secure" => true, "httponly" => true, "samesite" => "Lax"]` as its options.',
  on: { call: findCookie },
}

const SESSION = /sess|^sid$|token|auth|jwt|remember/i

function findCookie(event: CallEvent): Hit | undefined {
  if (event.receiver || !/^set(raw)?cookie$/.test(event.name)) return undefined
  const name = event.arg(0)?.value.known
  if (typeof name !== 'string' || !SESSION.test(name) || /csrf|xsrf/i.test(name) || isRemoval(event))
    return undefined
  return isOpen(event, 5, 'secure') || isOpen(event, 6, 'httponly') ? { at: event.expr.at } : undefined
}

function isOpen(event: CallEvent, index: number, name: string): boolean {
  const options = event.arg(2)?.value
  if (options?.fields) return !options.others && isOff(options.fields.get(name))
  return event.args.some(({ isSpread }) => isSpread)
    ? false
    : isOff(event.option(name) ?? event.arg(index)?.value)
}

const isOff = (value: AbstractValue | undefined): boolean =>
  value === undefined || value.known === false || value.known === 0

/** Deleting a cookie is safe. */
function isRemoval(event: CallEvent): boolean {
  const value = event.arg(1)?.value
  return value === undefined || value.known === '' || value.known === null || value.known === false
}

/** Debug output in production. */
export const debugOutput: Rule = {
  id: 'PH-DEBUG-01',
  title: 'Server details are shown to visitors',
  cwe: 489,
  severity: 'warn',
  confidence: 'medium',
  languages: ['php'],
  message: 'Versions, paths, settings and error messages help an attacker find a weakness.',
  fix: 'Remove it from production code and write errors to the log.',
  on: {
    call: (event) => {
      if (event.receiver) return undefined
      // Inside a condition it is a deliberate choice.
      const isPlain = event.conditions.length === 0
      if (event.name === 'phpinfo' && isPlain && event.functions.length === 0) return { at: event.expr.at }
      const isShown = event.name === 'ini_set' && event.arg(0)?.value.known === 'display_errors'
      const value = event.arg(1)?.value.known
      return isShown &&
        isPlain &&
        (value === true || value === 1 || /^(1|on|true)$/i.test(String(value ?? '')))
        ? { at: event.expr.at }
        : undefined
    },
  },
}
