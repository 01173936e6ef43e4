// Rules about certificates, origins and cookies.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isTestCode } from '../../../engine/skipped-files.ts'
import type { AssignEvent, CallEvent, EventContext, Hit, Rule } from '../../../rule.ts'
import { RESPONSE } from '../../model/requests.ts'
import { flowHit, textBefore } from '../taint-flow.ts'

export const transportRules: readonly Rule[] = [
  {
    id: 'JS-TLS-01',
    title: 'TLS certificates are not verified',
    cwe: 295,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'Anyone on the network path can impersonate the server, and read and change the traffic.',
    fix: 'Leave verification on. For your own certificate authority, pass its certificate as `ca`.',
    on: { assign: findDisabledVerification },
  },
  {
    id: 'JS-CORS-01',
    title: "Any site may send requests with the user's cookies",
    cwe: 942,
    severity: 'warn',
    confidence: 'high',
    languages: ['javascript'],
    message: 'Any page that the user opens can then read the responses this server sends to the user.',
    fix: 'List the allowed origins and compare with the list.',
    on: { call: findOpenCors },
  },
  {
    id: 'JS-COOKIE-01',
    title: 'A session cookie is not protected',
    cwe: 614,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message: 'Without `httpOnly` scripts in the page can read it. Without `secure` it is sent unencrypted.',
    fix: "Set `{ httpOnly: true, secure: true, sameSite: 'lax' }`.",
    on: { call: findOpenCookie },
  },
]

const VERIFICATION: ReadonlySet<string> = new Set([
  'rejectUnauthorized',
  'strictSSL',
  'NODE_TLS_REJECT_UNAUTHORIZED',
])

function findDisabledVerification(event: AssignEvent): Hit | undefined {
  const { name } = event
  if (!VERIFICATION.has(name)) return undefined
  const { value, expr, isEntry, object } = event
  const isVariable = name === 'NODE_TLS_REJECT_UNAUTHORIZED' && (value.known === '0' || value.known === 0)
  const isOff = name !== 'NODE_TLS_REJECT_UNAUTHORIZED' && value.known === false
  if (!isVariable && !(isOff && (isEntry || object !== null))) return undefined
  if (isTrial(event)) return { at: expr.at, severity: 'note', confidence: 'low' }
  // A test connects to its own server with its own certificate.
  return isTestCode(event.path) ? { at: expr.at, severity: 'note' } : { at: expr.at }
}

/** The code says that it does not run in production, or the user of the program asks for it by an option. */
const isTrial = ({ conditions, source }: EventContext): boolean =>
  conditions.some(({ at }) => TRIAL.test(source(at)) || OPTION.test(source(at)))

const TRIAL = /NODE_ENV|\bdev|\btest|local|insecure|debug/i
const OPTION =
  /ignore\w*(?:https|ssl|tls|cert)|reject_?unauthorized|strict_?ssl|self_?signed|(?:skip|no|disable)\w*(?:tls|ssl|verif)/i

function findOpenCors(event: CallEvent): Hit | undefined {
  const { name, expr, receiver, method } = event
  if (name === 'cors' || name === '@koa/cors' || name === '@fastify/cors' || name === 'koa2-cors') {
    const origin = event.option('origin')
    const isOpen = origin?.known === true || origin?.known === '*' || allowsAllOrigins(event, origin)
    return isOpen && event.option('credentials')?.known === true ? { at: expr.at } : undefined
  }
  const isHeader = receiver?.type === RESPONSE && /^(?:setHeader|set|header)$/.test(method)
  if (!isHeader || !/^access-control-allow-origin$/i.test(String(event.arg(0)?.value.known))) return undefined
  const around = event.functions[0] ? event.source(event.functions[0].at) : event.text
  if (!/allow-credentials['"`]?\s*[,:]\s*['"`]?true/i.test(around)) return undefined
  if (
    /(?:includes|has|indexOf|test|match|===)\s*\(?[^;\n]*origin|origin[^;\n]*(?:includes|===|test\()/i.test(
      textBefore(event, expr.at),
    )
  )
    return undefined
  return flowHit(expr.at, event.arg(1)?.value, { sinks: ['header'] })
}

function allowsAllOrigins({ source }: CallEvent, origin: AbstractValue | undefined): boolean {
  const definition = origin?.callable?.definition
  if (!definition) return false
  const body = source(definition.at)
  return /\(\s*null\s*,\s*true\s*\)/.test(body) && !/\bif\b|\?|includes|indexOf|test\(|&&|\|\|/.test(body)
}

const SESSION_NAME = /sess|token|jwt|auth|^sid$|connect\.sid|refresh/i

function findOpenCookie(event: CallEvent): Hit | undefined {
  const { receiver, method, expr, name } = event
  if (name === 'express-session' || name === 'cookie-session') {
    const cookie = event.option('cookie') ?? event.arg(0)?.value
    const isOpen = cookie?.fields?.get('httpOnly')?.known === false
    return isOpen ? { at: expr.at } : undefined
  }
  if (method !== 'cookie' || receiver?.type !== RESPONSE) return undefined
  const cookie = event.arg(0)?.value.known
  if (typeof cookie !== 'string' || !SESSION_NAME.test(cookie) || /csrf|xsrf/i.test(cookie)) return undefined
  const options = event.arg(2)
  if (!options) return { at: expr.at, detail: 'It has no options.' }
  // Options that are not spelled out may contain everything.
  if (options.expr.kind !== 'map' || options.expr.entries.some(({ key }) => key === null)) return undefined
  const { fields } = options.value
  const [httpOnly, secure] = [fields?.get('httpOnly'), fields?.get('secure')]
  const isOpen = !httpOnly || httpOnly.known === false || !secure || secure.known === false
  return isOpen ? { at: expr.at } : undefined
}
