import type { AbstractValue } from '../../abstract-value.ts'
import { isCall } from '../../engine/name-patterns.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Rules about server timeouts and cookies. */
export const noTimeout: Rule = {
  id: 'GO-DOS-01',
  title: 'A server has no read timeout',
  cwe: 400,
  severity: 'warn',
  confidence: 'medium',
  languages: ['go'],
  message:
    'This server waits for request headers as long as the client likes. A few thousand slow connections block all other clients.',
  fix: 'Set `ReadHeaderTimeout` (and `ReadTimeout`, `IdleTimeout`) on the `http.Server`. Limit bodies with `http.MaxBytesReader`.',
  on: {
    call: (event) => {
      if (!event.isNew || !isCall(event, 'net/http.Server') || !event.option('Addr')) return undefined
      const isLimited = event.option('ReadHeaderTimeout') ?? event.option('ReadTimeout')
      return isLimited || /\.Read(Header)?Timeout\s*=/.test(event.text) ? undefined : { at: event.expr.at }
    },
  },
}

/** Session cookies without Secure or HttpOnly. */
export const openCookie: Rule = {
  id: 'GO-COOKIE-01',
  title: 'A session cookie is sent without Secure or HttpOnly',
  cwe: 614,
  severity: 'warn',
  confidence: 'medium',
  languages: ['go'],
  message:
    'Without `Secure` the cookie is also sent over plain HTTP, where anyone on the network path can read it. Without `HttpOnly` any script in the page can. The cookie is enough to be signed in.',
  fix: 'Set `Secure: true`, `HttpOnly: true` and `SameSite: http.SameSiteLaxMode`.',
  on: { call: findCookie },
}

const SESSION = /sess|^sid$|token|auth|jwt|remember/i
const NO_SESSION = /csrf|xsrf/i

function findCookie(event: CallEvent): Hit | undefined {
  if (event.isNew && isCall(event, 'net/http.Cookie')) return inLiteral(event)
  // gin: name, value, age, path, domain, secure, httpOnly.
  if (!isCall(event, 'gin.Context#SetCookie') || event.args.length < 7) return undefined
  const [secure, httpOnly] = [event.arg(5)?.value.known, event.arg(6)?.value.known]
  return isSession(event.arg(0)?.value) && (secure === false || httpOnly === false)
    ? { at: event.expr.at }
    : undefined
}

function inLiteral(event: CallEvent): Hit | undefined {
  if (!isSession(event.option('Name')) || isRemoval(event)) return undefined
  const isOff = (name: string): boolean => {
    const value = event.option(name)
    return value ? value.known === false : !new RegExp(`\\.${name}\\s*=`).test(event.text)
  }
  return isOff('Secure') || isOff('HttpOnly') ? { at: event.expr.at } : undefined
}

const isSession = (name: AbstractValue | undefined): boolean =>
  typeof name?.known === 'string' && SESSION.test(name.known) && !NO_SESSION.test(name.known)

/** Deleting a cookie is safe. */
function isRemoval(event: CallEvent): boolean {
  const age = event.option('MaxAge')?.known
  const value = event.option('Value')
  return value === undefined || value.known === '' || (typeof age === 'number' && age < 0)
}
