// Rules about HTML built from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isCall } from '../../../engine/name-patterns.ts'
import type { CallEvent, ReturnEvent, Rule } from '../../../rule.ts'
import { constantText, findTaint, flowHit } from '../taint-flow.ts'

export const html: Rule = {
  id: 'PY-XSS-01',
  title: 'Input is sent back as HTML',
  cwe: 79,
  severity: 'error',
  confidence: 'medium',
  languages: ['python'],
  message: 'A script in the input runs in the browser of everyone who opens the link, with their session.',
  fix: 'Render a template that escapes, or escape the value with `markupsafe.escape` or `html.escape` first. Send data as JSON.',
  on: {
    call(event) {
      const page = pageOf(event)
      const taint = findTaint(page, { sinks: ['html'], unknownCallsMax: page && isMarkup(page) ? 1 : 0 })
      return taint && flowHit(event, taint)
    },
    return: findReturnedHtml,
  },
}

const RESPONSES = [
  'flask.make_response',
  'flask.Response',
  'werkzeug.wrappers.Response',
  'django.http.HttpResponse',
  'django.http.response.HttpResponse',
  'werkzeug.Response',
  'quart.Response',
  'quart.make_response',
  'starlette.responses.Response',
  'fastapi.Response',
  'fastapi.responses.Response',
  'webob.Response',
  'pyramid.response.Response',
  'django.http.HttpResponseBadRequest',
  'django.http.HttpResponseNotFound',
  'django.http.HttpResponseForbidden',
  'django.http.HttpResponseServerError',
]
const PAGES = [
  'starlette.responses.HTMLResponse',
  'fastapi.responses.HTMLResponse',
  'markupsafe.Markup',
  'flask.Markup',
  'jinja2.Markup',
  'sanic.response.html',
  'django.utils.safestring.mark_safe',
  'django.utils.safestring.SafeString',
]

function pageOf(event: CallEvent): AbstractValue | undefined {
  if (event.method !== 'write' && !isCall(event, ...PAGES, ...RESPONSES, 'aiohttp.web.Response'))
    return undefined
  const body =
    event.arg(0)?.value ?? event.option('content') ?? event.option('body') ?? event.option('response')
  if (isCall(event, ...PAGES)) return body
  if (isCall(event, ...RESPONSES))
    return body && !body.fields && !hasOtherType(event, body) ? body : undefined
  if (isCall(event, 'aiohttp.web.Response'))
    return isHtml(event.option('content_type')) ? event.option('text') : undefined
  if (
    event.method === 'write' &&
    event.imports(/^tornado/) &&
    /^self\b/.test(event.source(event.expr.callee.at))
  )
    return body && !body.fields && (isMarkup(body) || isVerb(event)) ? body : undefined
  return undefined
}

const isVerb = ({ functions }: CallEvent): boolean =>
  /^(?:get|post|put|patch|delete)$/.test(functions[0]?.name ?? '')

const isHtml = (type: AbstractValue | undefined): boolean =>
  typeof type?.known === 'string' && type.known.includes('html')

/**
 * The response has another content type: JSON, plain text, a file. Some frameworks send HTML only on
 * request.
 */
function hasOtherType(event: CallEvent, body: AbstractValue): boolean {
  const type = event.option('content_type') ?? event.option('mimetype') ?? event.option('media_type')
  if (type) return !isHtml(type)
  if (isTypeSetLater(event)) return true
  return /^(?:starlette|fastapi)/.test(event.name) || body.type === 'json'
}

/** `response.headers['Content-Type'] = 'text/plain'`, after the response is made. */
function isTypeSetLater({ text, expr, functions: [definition] }: CallEvent): boolean {
  const rest = text.slice(expr.at.end, definition?.at.end ?? expr.at.end)
  return OTHER_TYPE.test(rest)
}

const OTHER_TYPE =
  /(?:\[\s*['"]content-type['"]\s*\]|\.(?:content_type|mimetype))\s*=\s*['"](?!text\/html|application\/xhtml)\w+\//i

/** A Flask or Bottle route returns HTML, unless it returns a dictionary. */
function findReturnedHtml(event: ReturnEvent) {
  const isRoute =
    event.functions[0]?.annotations.some(({ name }) => /(?:^|\.)(?:route|get|post|put)$/.test(name)) ?? false
  if (!isRoute || !event.imports(/^(?:flask|quart|bottle)\b/)) return undefined
  const page = event.value.type === 'list' ? event.value.fields?.get('0') : event.value
  if (!page || page.fields || (event.value.size !== undefined && event.value.type !== 'list'))
    return undefined
  const taint = findTaint(page, { sinks: ['html'], unknownCallsMax: 0 })
  if (!taint || /json|\.files|\.data\b|get_data/.test(taint.label))
    return taint && isMarkup(page) ? flowHit(event, taint) : undefined
  return flowHit(event, taint)
}

const isMarkup = (page: AbstractValue): boolean => /<[a-z/!]/i.test(constantText(page))
