// Rules about cookies, sessions and headers.
import { isCall } from '../../../engine/name-patterns.ts'
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
      if (event.method !== 'set_cookie' || event.receiver === null) return undefined
      const spread = event.args.filter(({ isSpread }) => isSpread)
      const options = spread.flatMap(({ value }) => value.fields?.get('secure') ?? [])
      const secure = options[0] ?? event.option('secure') ?? event.arg(6)?.value
      if (spread.length > 0) return options[0]?.known === false ? { at: event.expr.at } : undefined
      const named = event.arg(0) ?? event.args.find((arg) => arg.name === 'key' || arg.name === 'name')
      const name = named?.expr.kind === 'literal' ? named.value.known : undefined
      const isWritten = event.args.some((arg) => arg.name === 'secure' && arg.expr.kind === 'literal')
      if (secure?.known === false) return { at: event.expr.at, confidence: isWritten ? 'high' : 'medium' }
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
    call(event) {
      if (!isCall(event, 'flask.session.update', 'flask.session.setdefault')) return undefined
      for (const { value } of event.args) {
        const taint = findTaint(value, { sinks: [], unknownCallsMax: 0 })
        if (taint) return { ...flowHit(event, taint), confidence: 'low' }
      }
      return undefined
    },
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
