// Rules about URLs from input: outgoing requests and redirects.

import type { AbstractValue, Taint } from '../../../abstract-value.ts'
import { isCall } from '../../../engine/name-patterns.ts'
import type { AssignEvent, CallEvent, CompareEvent, FunctionEvent, Hit, Rule } from '../../../rule.ts'
import { findTaint, flowHit, hasFixedHost } from '../taint-flow.ts'

export const forgery: Rule = {
  id: 'PY-SSRF-01',
  title: 'Input decides which host the server calls',
  cwe: 918,
  severity: 'error',
  confidence: 'medium',
  languages: ['python'],
  message:
    'The server calls any URL it is given, including its own network and the cloud metadata service with its keys.',
  fix: 'Keep scheme and host fixed and build only the path, or compare the parsed host with a list before the call.',
  on: {
    function: (event) => addresses(event, requestedUrl, ['url']),
  },
}

export const redirect: Rule = {
  id: 'PY-REDIR-01',
  title: 'Input decides where a visitor is redirected',
  cwe: 601,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message: 'A link to your site can redirect visitors to a fake copy that asks for their password.',
  fix: 'Check it with `url_has_allowed_host_and_scheme`, or allow only paths that start with one slash, and fall back to a page of your site.',
  on: {
    function: (event) => [
      ...addresses(event, redirectUrl, ['redirect', 'url']),
      ...event.assigns.flatMap((assign) => locationHits(event, assign)),
    ],
  },
}

/** `response.headers['Location'] = url` and `response.location = url`. */
function locationHits(event: FunctionEvent, { target, value, source }: AssignEvent): Hit[] {
  const isHeader =
    target.kind === 'index' &&
    target.key.kind === 'literal' &&
    /^location$/i.test(String(target.key.value)) &&
    /(?:headers|resp(?:onse)?)$/i.test(source(target.object.at))
  const isField = target.kind === 'member' && /^(?:resp|response)\.location$/i.test(source(target.at))
  if ((!isHeader && !isField) || hasFixedHost(value)) return []
  const taint = findTaint(value, { sinks: ['redirect', 'url'], unknownCallsMax: 0 })
  return taint && !OWN_URL.test(taint.label) && !isHostChecked(event, taint)
    ? [flowHit({ at: target.at }, taint)]
    : []
}

type Sinks = Parameters<typeof findTaint>[1]['sinks']

function addresses(
  event: FunctionEvent,
  addressOf: (call: CallEvent) => AbstractValue | undefined,
  sinks: Sinks,
) {
  return event.calls.flatMap((call) => {
    const value = addressOf(call)
    if (!value || hasFixedHost(value)) return []
    // An unknown function may be the check.
    const taint = findTaint(value, { sinks, unknownCallsMax: 0 })
    if (!taint || isOwnUrl(taint, call) || isHostChecked(event, taint)) return []
    return [flowHit(call, taint)]
  })
}

const VERBS = 'get post put patch delete head options request stream'.split(' ')
const MODULES = [
  'requests',
  'httpx',
  'requests.Session()',
  'requests.session()',
  'httpx.Client()',
  'httpx.AsyncClient()',
  'aiohttp.ClientSession()',
  'aiohttp',
  'requests.sessions.Session()',
  'urllib3.PoolManager()',
  'urllib3',
]
const REQUEST_CALLS = MODULES.flatMap((module) => VERBS.map((verb) => `${module}.${verb}`))
const OPEN_CALLS = [
  'urllib.request.urlopen',
  'urllib.request.Request',
  'urllib.request.urlretrieve',
  'urllib2.urlopen',
  'urllib2.Request',
  'urllib.urlopen',
  'urllib.urlretrieve',
  'http.client.HTTPConnection',
  'http.client.HTTPSConnection',
  'httplib.HTTPConnection',
  'tornado.httpclient.HTTPRequest',
  'six.moves.urllib.request.urlopen',
  'pandas.read_html',
  'wget.download',
]

function requestedUrl(event: CallEvent): AbstractValue | undefined {
  if (isCall(event, ...OPEN_CALLS)) return event.arg(0)?.value ?? event.option('url')
  if (!isCall(event, ...REQUEST_CALLS)) return undefined
  const isSecond = event.method === 'request' || event.method === 'stream'
  return event.option('url') ?? event.arg(isSecond ? 1 : 0)?.value
}

const REDIRECTS = [
  'flask.redirect',
  'quart.redirect',
  'werkzeug.utils.redirect',
  'django.shortcuts.redirect',
  'django.http.HttpResponseRedirect',
  'bottle.redirect',
  'django.http.HttpResponsePermanentRedirect',
  'starlette.responses.RedirectResponse',
  'fastapi.responses.RedirectResponse',
  'aiohttp.web.HTTPFound',
  'aiohttp.web.HTTPSeeOther',
  'aiohttp.web.HTTPMovedPermanently',
  'sanic.response.redirect',
  'django.http.response.HttpResponseRedirect',
  'pyramid.httpexceptions.HTTPFound',
]

function redirectUrl(event: CallEvent): AbstractValue | undefined {
  const isTornado = event.method === 'redirect' && event.imports(/^tornado/)
  if (!isTornado && !isCall(event, ...REDIRECTS)) return undefined
  return event.arg(0)?.value ?? event.option('url') ?? event.option('location') ?? event.option('redirect_to')
}

/** A redirect to the requested or the previous page uses a URL from the visitor's own browser. */
const isOwnUrl = ({ label }: Taint, { method, name }: CallEvent): boolean =>
  /redirect|HTTPFound|SeeOther|Moved/i.test(`${name}.${method}`) && OWN_URL.test(label)

const OWN_URL =
  /\b(?:request|req)\.(?:path|url|full_path|base_url|referrer|path_info|uri|get_full_path|build_absolute_uri|host)\b|\b(?:META|headers)\b.*(?:referr?er|host|origin)/i

/** The host was parsed from the URL and checked. */
function isHostChecked({ compares, calls }: FunctionEvent, { label }: Taint): boolean {
  const isAbout = (value: AbstractValue | null) =>
    value?.taints.some((taint) => sameRoot(taint.label, label)) ?? false
  const isHost = (event: CompareEvent) =>
    /netloc|hostname|\.host\b|\bhost\b|domain|scheme/i.test(event.source(event.expr.at))
  return (
    compares.some((event) => isHost(event) && (isAbout(event.left) || isAbout(event.right))) ||
    calls.some(
      (event) =>
        /(?:allow|safe|valid|check|verif|trust|whitelist|private)/i.test(event.method) &&
        event.args.some(({ value }) => isAbout(value)),
    ) ||
    calls.some(({ method, receiver }) => method === 'endswith' && isAbout(receiver))
  )
}

/** `url` and `url.netloc` have the same source. */
const sameRoot = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)
