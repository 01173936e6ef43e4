// Rules about pages, addresses, cookies, cryptography and logs.

import type { AbstractValue } from '../../abstract-value.ts'
import type { Expr } from '../../ir.ts'
import { isChecksum, weakCipher, weakHash } from '../../java/rules/exposure/crypto.ts'
import { crossSiteScripting } from '../../java/rules/exposure/html.ts'
import { loggedSecret } from '../../java/rules/exposure/logging.ts'
import { predictableSecret } from '../../java/rules/exposure/randomness.ts'
import { insecureCookie } from '../../java/rules/exposure/sessions.ts'
import { uncheckedCertificate } from '../../java/rules/exposure/tls.ts'
import { openRedirect, requestForgery } from '../../java/rules/exposure/urls.ts'
import { constantText, flowHit, isMethodOf, piecesOf, startsTainted } from '../../java/rules/taint-flow.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { inKotlin } from './shared.ts'

/** `call.respondText(html, ContentType.Text.Html)` of Ktor. */
function respondedPage(event: CallEvent): Hit | undefined {
  const { method, source, expr, args } = event
  const isPage = method === 'respondText' && /\bText\.Html\b|text\/html/.test(source(expr.at))
  const isRaw = /^(?:raw|unsafe)$/.test(method) && event.imports(/^kotlinx\.html\b/)
  return isPage || isRaw ? flowHit(expr.at, args[0]?.value, { sinks: ['html'] }) : undefined
}

function redirected(event: CallEvent): Hit | undefined {
  const target = event.method === 'respondRedirect' ? event.args[0]?.value : undefined
  return target && startsTainted(target)
    ? flowHit(event.expr.at, target, { sinks: ['redirect', 'url'] })
    : undefined
}

const CLIENTS = [
  'io.ktor.client.HttpClient',
  'HttpClient',
  'org.springframework.web.reactive.function.client.WebClient',
]

function requested(event: CallEvent): Hit | undefined {
  const isOfClient = isMethodOf(
    event,
    CLIENTS,
    /^(?:get|post|put|delete|patch|head|request|prepareGet|submitForm)$/,
  )
  const isReadUrl = isMethodOf(event, ['java.net.URL'], /^(?:readText|readBytes)$/)
  const isBuilder =
    event.method === 'url' && /\bRequest\.Builder\(\)/.test(event.source(event.expr.callee.at))
  const target = isReadUrl ? event.receiver : isOfClient || isBuilder ? event.args[0]?.value : undefined
  return target && namesHost(target) ? flowHit(event.expr.at, target, { sinks: ['url'] }) : undefined
}

function namesHost(value: AbstractValue): boolean {
  const [first] = piecesOf(value)
  const isBase = first !== undefined && typeof first !== 'string' && first.taints.length === 0
  return !isBase && !/^\w+:\/\/[^/\u0000?#]+[/?#]/.test(constantText(value))
}

/** `call.response.cookies.append("session", token)` of Ktor. */
function openCookie(event: CallEvent): Hit | undefined {
  const { method, source, expr, args } = event
  if (method !== 'append' || !/\bcookies$/.test(calleeObject(expr.callee, source))) return undefined
  const isSession = /sess|token|auth|jwt|\bsid\b/i.test(String(args[0]?.value.known ?? ''))
  const isSecure = args.some(({ name, value }) => name === 'secure' && value.known !== false)
  return isSession && !isSecure && args.length > 1 ? { at: expr.at } : undefined
}

const calleeObject = (callee: Expr, source: CallEvent['source']): string =>
  callee.kind === 'member' ? source(callee.object.at) : ''

/** `HostnameVerifier { _, _ -> true }`, and a web view that continues after a certificate error. */
function acceptsAll(event: CallEvent): Hit | undefined {
  const { name, args, expr, method, functions } = event
  const [first] = args
  const isVerifier = /(?:^|\.)HostnameVerifier$/.test(name) && first?.expr.kind === 'function'
  if (isVerifier && first.expr.kind === 'function' && returnsTrue(first.expr.definition.body))
    return { at: expr.at }
  return method === 'proceed' &&
    functions[0]?.name === 'onReceivedSslError' &&
    args.length === 0 &&
    expr.callee.kind === 'member'
    ? { at: expr.at }
    : undefined
}

function returnsTrue(body: readonly { readonly kind: string; readonly value?: unknown }[]): boolean {
  const [only, ...rest] = body
  const value = only?.kind === 'return' ? (only.value as Expr | null) : null
  return rest.length === 0 && value?.kind === 'literal' && value.value === true
}

/** `Log.d(TAG, "…$password")` of Android, and Timber. */
function loggedOnAndroid(event: CallEvent): Hit | undefined {
  const written = event.source(event.expr.callee.at)
  if (!/^(?:Log|Timber)\.(?:v|d|i|w|e|wtf)$/.test(written)) return undefined
  // The rule of Java reads the arguments. Only the name of the logger differs.
  const result = loggedSecret.on.call?.({ ...event, method: 'debug', source: () => 'log.debug' })
  return [result ?? []].flat()[0]
}

export const unsafeWebView: Rule = {
  id: 'KT-WEBVIEW-01',
  title: 'Input decides what a web view loads',
  cwe: 749,
  severity: 'warn',
  confidence: 'medium',
  languages: ['kotlin'],
  message:
    'A link or another app decides which page or script the web view runs. It can imitate this app, and call its JavaScript interfaces.',
  fix: 'Compare the host with a list of allowed hosts before `loadUrl`, and pass values to scripts as JSON.',
  on: {
    call(event) {
      if (!/^(?:loadUrl|loadData|loadDataWithBaseURL|evaluateJavascript|postUrl)$/.test(event.method))
        return undefined
      const at = event.method === 'loadDataWithBaseURL' ? 1 : 0
      const value = event.args[at]?.value
      return value && namesHost(value) ? flowHit(event.expr.at, value, { sinks: ['url', 'html'] }) : undefined
    },
  },
}

export const exposureRules: readonly Rule[] = [
  inKotlin(crossSiteScripting, { call: respondedPage }),
  inKotlin(requestForgery, { call: requested }),
  inKotlin(openRedirect, { call: redirected }),
  inKotlin(insecureCookie, {
    fix: 'Set `secure = true` and `httpOnly = true` on the cookie.',
    call: openCookie,
  }),
  inKotlin(weakCipher),
  inKotlin(weakHash, { except: isChecksum }),
  inKotlin(predictableSecret, {
    fix: 'Use `java.security.SecureRandom`, at least 16 bytes of it. `chars.random(SecureRandom().asKotlinRandom())` draws from it too.',
  }),
  inKotlin(uncheckedCertificate, { call: acceptsAll }),
  inKotlin(loggedSecret, { call: loggedOnAndroid }),
  unsafeWebView,
]
