// Rules about cookies, sessions and headers.
import type { AssignEvent, Rule } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'

export const cookie: Rule = {
  id: 'PY-COOKIE-01',
  title: 'A cookie is sent over unencrypted connections',
  cwe: 614,
  severity: 'warn',
  confidence: 'medium',
  languages: ['python'],
  message:
    'Without `secure` the browser also sends this cookie over plain HTTP, where anyone on the network path can read and use it.',
  fix: 'Pass `secure=True, httponly=True, samesite="Lax"`.',
  on: {
    call(event) {
      if (
        event.method !== 'set_cookie' ||
        event.receiver === null ||
        event.args.some(({ isSpread }) => isSpread)
      )
        return undefined
      const secure = event.option('secure') ?? event.arg(6)?.value
      const named = event.arg(0) ?? event.args.find((arg) => arg.name === 'key' || arg.name === 'name')
      const name = named?.expr.kind === 'literal' ? named.value.known : undefined
      const isWritten = event.args.some((arg) => arg.name === 'secure' && arg.expr.kind === 'literal')
      if (secure?.known === false && isWritten) return { at: event.expr.at, confidence: 'high' }
      const isSession = typeof name === 'string' && /sess|token|auth|jwt|^sid$|login|remember/i.test(name)
      return secure === undefined && isSession ? { at: event.expr.at } : undefined
    },
  },
}

export const trust: Rule = {
  id: 'PY-TRUST-01',
  title: 'Input is stored in the session',
  cwe: 501,
  severity: 'note',
  confidence: 'low',
  languages: ['python'],
  message: 'Code usually trusts session data as validated. This value comes from the request unchanged.',
  fix: 'Validate the value before storing it, or look up what it refers to and store that.',
  on: {
    assign(event) {
      if (!isSession(event)) return undefined
      const key =
        event.target.kind === 'index' && event.target.key.kind === 'name'
          ? event.lookUp(event.target.key.name)
          : undefined
      const taint =
        findTaint(event.value, { sinks: [], unknownCallsMax: 0 }) ??
        findTaint(key, { sinks: [], unknownCallsMax: 0 })
      if (taint && /\brequest\.(?:url|path|full_path|base_url)\b/.test(taint.label)) return undefined
      return taint && { ...flowHit({ at: event.target.at }, taint), confidence: 'low' }
    },
  },
}

const isSession = ({ target, object, source }: AssignEvent): boolean => {
  if (target.kind !== 'index') return false
  return object?.name === 'flask.session' || /(?:^|\.)session$/.test(source(target.object.at))
}

export const header: Rule = {
  id: 'PY-HEADER-01',
  title: 'Input is written into a response header',
  cwe: 113,
  severity: 'warn',
  confidence: 'medium',
  languages: ['python'],
  message: 'A line break in the input starts another header, or the body of a second response.',
  fix: 'Reject values with line breaks, or use a framework that does.',
  on: {
    call(event) {
      // Frameworks reject line breaks themselves. `http.server` does not.
      const isRaw = event.method === 'send_header' && event.imports(/^(?:http\.server|http|BaseHTTPServer)$/)
      const value = isRaw
        ? event.arg(1)?.value
        : event.name.endsWith('start_response') || event.method === 'start_response'
          ? event.arg(1)?.value
          : undefined
      const taint = findTaint(value, { sinks: ['header', 'url'] })
      return taint && flowHit(event, taint)
    },
  },
}
