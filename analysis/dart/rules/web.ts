// Rules about pages, web views, redirects and requests to URLs from input.

import type { AbstractValue } from '../../abstract-value.ts'
import type { AssignEvent, CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import {
  findTaintedInterpolation,
  flowHit,
  hasFixedHost,
  isDirectRequest,
  outlineOf,
} from '../../rule-helpers/interpolations.ts'
import { requestHit } from '../../rule-helpers/request-flow.ts'

export const crossSiteScripting: Rule = {
  id: 'DA-XSS-01',
  title: 'Input is shown without escaping',
  cwe: 79,
  severity: 'error',
  confidence: 'high',
  languages: ['dart'],
  message:
    'A value from the request becomes part of a page unchanged. A crafted link runs a script in the browser of everyone who opens it, with their session.',
  fix: 'Escape it with `htmlEscape.convert(value)`, or set `text` instead of `innerHtml`.',
  on: { call: findPage, assign: findInner },
}

function findPage(event: CallEvent): Hit | undefined {
  const { name, method, receiver } = event
  if (/^Response(?:\.(?:ok|notFound|forbidden|badRequest|internalServerError))?$/.test(name)) {
    const body = event.arg(name === 'Response' ? 1 : 0)?.value ?? event.option('body')
    return isHtml(event, body) ? requestHit(event, [body], ['html'], 'a page') : undefined
  }
  if (/^(?:write|writeln)$/.test(method) && receiver && /response$|res$/i.test(written(event))) {
    const body = event.arg(0)?.value
    return isHtml(event, body) ? requestHit(event, [body], ['html'], 'a page') : undefined
  }
  const isUnsafe =
    /^(?:setInnerHtml|appendHtml|insertAdjacentHtml)$/.test(method) &&
    /NodeTreeSanitizer\.trusted|NullTreeSanitizer/.test(event.source(event.expr.at))
  return isUnsafe
    ? requestHit(
        event,
        event.args.map(({ value }) => value),
        ['html'],
        'a page',
      )
    : undefined
}

const written = ({ expr, source }: CallEvent): string =>
  expr.callee.kind === 'member' ? source(expr.callee.object.at) : ''

/** The content type, or a tag in the text. */
const isHtml = (event: CallEvent, body: AbstractValue | undefined): boolean =>
  body !== undefined &&
  (/<(?:html|body|h\d|p|div|script|b|i|a|li|ul|table|span)\b/i.test(outlineOf(body)) ||
    /text\/html|ContentType\.html/.test(event.source(event.expr.at)))

function findInner({ name, value, expr, target }: AssignEvent): Hit | undefined {
  if (name !== 'innerHtml' && name !== 'innerHTML') return undefined
  if (target.kind !== 'member') return undefined
  const found = findTaintedInterpolation(value, ['html'], isDirectRequest)
  return found && flowHit(expr.at, found.taint, 'a page')
}

export const scriptInjection: Rule = {
  id: 'DA-JS-01',
  title: 'Input becomes part of a script in a web view',
  cwe: 79,
  severity: 'error',
  confidence: 'high',
  languages: ['dart'],
  message: 'The script runs with the rights of the page and of the channels that the app offers to it.',
  fix: 'Encode the value with `jsonEncode(value)` before you insert it, or send it as a message.',
  on: {
    call: (event) =>
      /^(?:runJavaScript|runJavaScriptReturningResult|evaluateJavascript|runJavascript|runJavascriptReturningResult|callAsyncJavaScript|evalJavascript)$/.test(
        event.method,
      )
        ? requestHit(event, [event.arg(0)?.value ?? event.option('source')], ['code'], 'a script')
        : undefined,
  },
}

export const openRedirect: Rule = {
  id: 'DA-REDIR-01',
  title: 'A redirect target comes from input',
  cwe: 601,
  severity: 'warn',
  confidence: 'high',
  languages: ['dart'],
  message:
    'A visitor is redirected to a URL from the request. A link to this site then leads to any other site, such as a fake page.',
  fix: 'Redirect to your own paths only, or choose the target from a list.',
  on: { call: findRedirect },
}

const CHECKED = /\.host\b|\.startsWith\(|allow\w*[.([]|trusted|valid\w*\(|\.contains\(/i

function findRedirect(event: CallEvent): Hit | undefined {
  const isShelf = /^Response\.(?:found|seeOther|movedPermanently|temporaryRedirect)$/.test(event.name)
  const isResponse =
    event.method === 'redirect' && event.receiver !== null && /response$/.test(written(event))
  if (!isShelf && !isResponse) return undefined
  const found = requestHit(
    event,
    [event.arg(0)?.value ?? event.option('location')],
    ['redirect', 'url'],
    'the target of a redirect',
    (_, before) => before === '',
  )
  return found && !matchesBefore(event, event.expr.at, CHECKED) ? found : undefined
}

export const requestForgery: Rule = {
  id: 'DA-SSRF-01',
  title: 'A request is sent to a URL from input',
  cwe: 918,
  severity: 'error',
  confidence: 'medium',
  languages: ['dart'],
  message:
    'Input decides to which host this server sends a request. It can be one that only this server reaches: the cloud metadata service, a database, the machine itself.',
  fix: 'Keep the host constant, or compare `Uri.parse(url).host` with a list of allowed hosts and reject private addresses.',
  on: { call: findRequest },
}

const CLIENTS =
  /^(?:http|Dio\(\)|Client\(\)|HttpClient\(\))\.(?:get|post|put|patch|delete|head|read|readBytes|getUrl|postUrl|openUrl|request|fetch)$/
const METHODS = /^(?:get|post|put|patch|delete|head|read|getUrl|postUrl|openUrl|request)$/

function findRequest(event: CallEvent): Hit | undefined {
  const { name, method, receiver } = event
  const isTyped =
    /^(?:Dio|Client|HttpClient|IOClient|RetryClient)$/.test(receiver?.type ?? '') && METHODS.test(method)
  if (!CLIENTS.test(name) && !isTyped) return undefined
  // An app sends requests from the device of its user.
  if (event.imports(/^package:(?:flutter|flutter_\w+)\//)) return undefined
  const value = event.args[/^openUrl$/.test(method) ? 1 : 0]?.value
  const found = requestHit(
    event,
    [value],
    ['url'],
    'the URL of a request',
    (_, before) => !hasFixedHost(before) && /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#\0]*)?$/i.test(before),
  )
  return found && !matchesBefore(event, event.expr.at, CHECKED) ? found : undefined
}
