// Rules about URLs from input: outgoing requests, redirects and headers.

import type { AbstractValue } from '../../../abstract-value.ts'
import { joinTaints } from '../../../engine/values/values.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { CONTEXT, RESPONSE } from '../../model/requests.ts'
import { constantPrefix, findTaint, flowHit, textBefore } from '../taint-flow.ts'

export const urlRules: readonly Rule[] = [
  {
    id: 'JS-SSRF-01',
    title: 'Input decides which host the server calls',
    cwe: 918,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'The server can reach services that an attacker cannot: cloud metadata, databases and internal services.',
    fix: 'Keep the host fixed and encode the rest, or check the parsed host against a list and reject private addresses after resolving it.',
    on: {
      call(event) {
        const address = requestedUrl(event)
        const hit =
          address && decidesHost(address)
            ? flowHit(event.expr.at, hostOf(address), { sinks: ['url'] })
            : undefined
        return hit?.confidence === 'high' && !isHostChecked(event) ? hit : undefined
      },
    },
  },
  {
    id: 'JS-REDIR-01',
    title: 'Input decides where the browser is redirected',
    cwe: 601,
    severity: 'warn',
    confidence: 'high',
    languages: ['javascript'],
    message:
      'A link to this site then leads to any other site, such as a fake page that asks for the password.',
    fix: 'Redirect to a path of your site, reject values that start with `//` or `\\`, or look the target up in a list.',
    on: {
      call(event) {
        const target = redirectTarget(event)
        if (!target || !decidesHost(target) || isHostChecked(event)) return undefined
        return redirectHit(event, target) ?? ownPathHit(event, target)
      },
      assign(event) {
        const { name } = event
        if (name !== 'href' && name !== 'location') return undefined
        const { object, value, expr } = event
        const isLocation =
          /^(?:window\.|document\.|self\.|top\.)?location$/.test(object?.name ?? '') && name === 'href'
        const isWhole = name === 'location' && /^(?:window|document|self|top)$/.test(object?.name ?? '')
        if (!(isLocation || isWhole) || !decidesHost(value)) return undefined
        return flowHit(expr.at, value, { sinks: ['redirect'], except: OWN_PAGE })
      },
    },
  },
  {
    id: 'JS-HDR-01',
    title: 'Input is written into a response header',
    cwe: 113,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message: 'A value with a line break adds headers, or ends them and writes the page.',
    fix: 'Encode the value (`encodeURIComponent`), or let the framework set the header, which rejects line breaks.',
    on: {
      // Node.js rejects line breaks in `setHeader` and `writeHead`. Raw socket writes are not checked.
      call(event) {
        if (
          event.method !== 'write' ||
          !/(?:^|\.)socket$|net\.(?:Socket|connect|createConnection)/.test(event.receiver?.name ?? '')
        )
          return undefined
        const text = event.arg(0)?.value
        return text && /^HTTP\/1/.test(constantPrefix(text))
          ? flowHit(event.expr.at, text, { sinks: ['header'] })
          : undefined
      },
    },
  },
]

function requestedUrl(event: CallEvent): AbstractValue | undefined {
  const { name } = event
  if (!CALLS.has(name)) return undefined
  const first = event.arg(0)?.value
  if (!first?.fields || first.type === 'URL') return first
  const base = first.fields.get('baseURL')
  return (
    base ??
    first.fields.get('url') ??
    first.fields.get('uri') ??
    first.fields.get('hostname') ??
    first.fields.get('host')
  )
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'request', 'stream']
const CALLS: ReadonlySet<string> = new Set([
  'fetch',
  'window.fetch',
  'globalThis.fetch',
  ...[
    'axios',
    'got',
    'request',
    'superagent',
    'needle',
    'http',
    'https',
    'node-fetch',
    'undici',
    'ky',
    'phin',
    'bent',
    'request-promise',
    'request-promise-native',
    'cross-fetch',
    'urllib',
    'follow-redirects.http',
    'follow-redirects.https',
  ].flatMap((module) => [module, ...METHODS.map((method) => `${module}.${method}`)]),
  'undici.fetch',
  'cross-fetch.fetch',
  'axios.create().get',
  'axios.create().post',
  'puppeteer.launch().newPage().goto',
])

/** A link can carry any query, but it cannot change the host or the path of the page itself. */
const REDIRECT_FLOW = {
  sinks: ['redirect'],
  except:
    /\bheaders\b|^[\w$]+(?:\.req|\.request)?\.(?:host|hostname|originalUrl|url|path|pathname|header)$|nextUrl\.(?!search)|\b(?:get|header)\(\s*['"]/i,
} as const

function redirectHit(event: CallEvent, target: AbstractValue): Hit | undefined {
  const host = hostOf(target)
  const hit = flowHit(event.expr.at, host, REDIRECT_FLOW)
  const label = findTaint(host, REDIRECT_FLOW)?.label ?? ''
  return hit?.confidence === 'high' && !isCheckedByMiddleware(event, label) ? hit : undefined
}

/** A request for `//other-host/folder` redirected to its own path leads to the other host. */
function ownPathHit(event: CallEvent, target: AbstractValue): Hit | undefined {
  const first = target.pieces ? target.pieces[0] : target
  if (event.receiver === null || first === undefined || typeof first === 'string') return undefined
  const taint = findTaint(first, { sinks: ['redirect'] })
  if (!taint || taint.unknownCalls > 0 || !OWN_PATH.test(taint.label)) return undefined
  const hit = flowHit(event.expr.at, first, { sinks: ['redirect'] })
  return hit && { ...hit, confidence: 'medium' }
}

const OWN_PATH = /^[\w$]+(?:\.req|\.request)?\.(?:originalUrl|url|path|pathname)(?:\.pathname)?$/

/** Another handler of the file rejects the request by a check of the same value. */
function isCheckedByMiddleware({ text, functions }: CallEvent, label: string): boolean {
  if (CHECKING_HANDLER.test(text)) return true
  const key = /\.(?:query|body|params|cookies)\.([\w$]+)$/.exec(label)?.[1]
  const own = functions.at(-1)?.at
  if (key === undefined || !own) return false
  const places = text.matchAll(new RegExp(`\\b(?:query|body|params|cookies)(?:\\.|\\[['"])${key}\\b`, 'g'))
  return [...places].some(
    ({ index }) =>
      (index < own.start || index > own.end) && isRejected(text.slice(index, index + REJECTION_LENGTH)),
  )
}

const isRejected = (text: string): boolean => REJECTION.test(text) && /\bnext\(\s*\)/.test(text)

/** A handler named as a check of redirects is registered: `app.use(validateReturnTo)`. */
const CHECKING_HANDLER =
  /\b(?:use|get|post|all|route)\([^;{}]{0,200}\b\w*(?:safe|valid|allow|check|verif|guard|sanit|restrict)\w*(?:redirect|return|next|ur[li]|target|destination|host|origin|continue)\w*\b/i
const REJECTION =
  /\b(?:status|sendStatus|code|writeHead|throw|abort)\(\s*4\d\d|\bnext\(\s*(?:new\b|err)|\bthrow\b|\bdelete\s|=\s*['"`]\//
const REJECTION_LENGTH = 400

const REDIRECT_METHODS: ReadonlySet<string> = new Set([
  'redirect',
  'location',
  'setHeader',
  'set',
  'header',
  'writeHead',
])

function redirectTarget(event: CallEvent): AbstractValue | undefined {
  const { method, name } = event
  if (!REDIRECT_METHODS.has(method)) return undefined
  const { receiver } = event
  if (
    name === 'next/navigation.redirect' ||
    name === 'next/server.NextResponse.redirect' ||
    name === 'Response.redirect'
  )
    return event.arg(0)?.value
  if (receiver?.type === RESPONSE) {
    if (method === 'redirect') return event.args.length > 1 ? event.arg(1)?.value : event.arg(0)?.value
    const isHeader =
      /^(?:setHeader|set|header)$/.test(method) && /^location$/i.test(String(event.arg(0)?.value.known))
    if (isHeader) return event.arg(1)?.value
    return method === 'location'
      ? event.arg(0)?.value
      : (event.option('Location') ?? event.option('location'))
  }
  return receiver?.type === CONTEXT && method === 'redirect' ? event.arg(0)?.value : undefined
}

/** Whether a tainted part can change the host. A constant prefix fixes it once the host is complete. */
function decidesHost(address: AbstractValue): boolean {
  const text = constantPrefix(address)
  if (text === '') {
    // An untainted value comes first, such as an origin from the settings.
    const first = address.pieces?.[0]
    return (
      first === undefined || typeof first === 'string' || findTaint(first, { sinks: ['url'] }) !== undefined
    )
  }
  if (/^(?:https?:)?\/\/[^/?#]+[/?#]/i.test(text)) return false
  return /^(?:https?:)?(?:\/\/)?$/i.test(text) || /^(?:https?:)?\/\/[^/?#]*$/i.test(text)
}

/** The pieces before the path. Values in the path or the query cannot change the host. */
function hostOf(address: AbstractValue): AbstractValue {
  const { pieces } = address
  if (!pieces) return address
  const end = pieces.findIndex(
    (piece, index) =>
      typeof piece === 'string' &&
      /[/?#]/.test(index === 0 ? piece.replace(/^\s*(?:https?:)?\/\//i, '') : piece),
  )
  const host = (end === -1 ? pieces : pieces.slice(0, end)).filter((piece) => typeof piece !== 'string')
  return { taints: host.reduce<AbstractValue['taints']>((all, { taints }) => joinTaints(all, taints), []) }
}

/** The attacker does not choose the host and the path of the page itself. */
const OWN_PAGE = /(?:pathname|location\.href|document\.URL|documentURI)$/

/** A check of the host parsed from the URL. */
function isHostChecked(event: CallEvent): boolean {
  const { at } = event.expr
  const before = textBefore(event, { ...at, start: at.end })
  return (
    /\b\w*(?:allow|white|safe|trusted|permitted)\w*\.(?:some|find|every|includes|has|indexOf)\(/i.test(
      before,
    ) ||
    /(?:includes|has|test|indexOf|===|!==|endsWith|some|match)\(?[^;\n]*\b(?:host|hostname|origin|protocol)\b|\b(?:host|hostname|origin)\b[^;\n]*(?:===|!==|endsWith|includes|has\(|match|test)/i.test(
      before,
    ) ||
    /(?:isSafe|isAllowed|isValid|validate|allowed|whitelist|allowlist|assertPublic|ssrf|isLocal|isRelative)\w*(?:Ur[li]|Host|Domain|Redirect|Origin|Path)?\w*\(/i.test(
      before,
    )
  )
}
