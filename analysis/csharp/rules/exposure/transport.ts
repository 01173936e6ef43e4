// Rules about cookies, certificates and logs.

import type { Expr, FunctionDefinition } from '../../../ir.ts'
import { namesIn, SECRET } from '../../../java/rules/exposure/logging.ts'
import type { AssignEvent, CallEvent, EventContext, Hit, Rule } from '../../../rule.ts'

export const insecureCookie: Rule = {
  id: 'CS-COOKIE-01',
  title: 'A session cookie is sent over unencrypted connections',
  cwe: 614,
  severity: 'warn',
  confidence: 'high',
  languages: ['csharp'],
  message:
    'The cookie is also sent over unencrypted connections. Anyone on the network path can read and use it.',
  fix: 'Pass `new CookieOptions { Secure = true, HttpOnly = true, SameSite = SameSiteMode.Lax }`.',
  on: {
    call: (event) => openCookie(event),
    assign: ({ name, source, expr, conditions }) =>
      name === 'SecurePolicy' &&
      /\bCookieSecurePolicy\.None$/.test(source(expr.at)) &&
      !isDevelopment({ conditions, source })
        ? { at: expr.at }
        : undefined,
  },
}

function openCookie({ method, expr, args, source }: CallEvent): Hit | undefined {
  const holder = expr.callee.kind === 'member' ? source(expr.callee.object.at) : ''
  if (method !== 'Append' || !/\bCookies$/.test(holder)) return undefined
  const isSession = /sess|token|auth|jwt|\bsid\b|login/i.test(String(args[0]?.value.known ?? ''))
  const options = args[2]?.value
  if (!isSession || args.length < 2) return undefined
  if (!options) return { at: expr.at }
  const given = options.fields?.get('{}') ?? options
  const secure = given.fields?.get('Secure')
  return secure?.known === false ? { at: expr.at } : undefined
}

export const uncheckedCertificate: Rule = {
  id: 'CS-TLS-01',
  title: 'TLS certificates are not verified',
  cwe: 295,
  severity: 'error',
  confidence: 'high',
  languages: ['csharp'],
  message: 'Any certificate is accepted. Anyone on the network path can read and change the traffic.',
  fix: 'Keep the checks of the platform. For your own certificate, compare its thumbprint, or add its authority to the trust store.',
  on: { assign: (event) => acceptsAll(event) },
}

const CALLBACKS =
  /^(?:ServerCertificateCustomValidationCallback|ServerCertificateValidationCallback|RemoteCertificateValidationCallback)$/

function acceptsAll(event: AssignEvent): Hit | undefined {
  const { name, expr, source } = event
  if (!CALLBACKS.test(name) || isDevelopment(event)) return undefined
  const isAny = /DangerousAcceptAnyServerCertificateValidator/.test(source(expr.at))
  return isAny || (expr.kind === 'function' && returnsTrue(expr.definition)) ? { at: expr.at } : undefined
}

const isDevelopment = ({ conditions, source }: Pick<EventContext, 'conditions' | 'source'>): boolean =>
  conditions.some(({ at }) => /develop|debug|localhost|IsLocal/i.test(source(at)))

function returnsTrue({ body }: FunctionDefinition): boolean {
  const [only, ...rest] = body
  const value: Expr | null = only?.kind === 'return' ? only.value : null
  return rest.length === 0 && value?.kind === 'literal' && value.value === true
}

export const loggedSecret: Rule = {
  id: 'CS-LOG-01',
  title: 'A secret is logged',
  cwe: 532,
  severity: 'warn',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'A password or key is written to the log. Logs are kept, copied and read by people who must not know it.',
  fix: 'Leave it out, or log only that it was present.',
  on: {
    call(event) {
      if (!isLog(event)) return undefined
      const found = event.args.flatMap(({ expr }) => namesIn(expr)).find(({ name }) => SECRET.test(name))
      return found ? { at: event.expr.at, detail: `\`${found.name}\` is logged.` } : undefined
    },
  },
}

const isLog = ({ method, expr, source, name }: CallEvent): boolean =>
  (/^(?:Log(?:Trace|Debug|Information|Warning|Error|Critical)?|Debug|Info|Information|Warn|Warning|Error|Fatal|Verbose|Trace)$/.test(
    method,
  ) &&
    /\blog(?:ger)?$|^_?log|Log$/i.test(source(expr.callee.at).split('.').at(-2) ?? '')) ||
  /^(?:Console|Debug|Trace)\.Write(?:Line)?$/.test(name)
