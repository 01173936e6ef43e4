// Addresses that a request decides: where the server goes, and where it sends the browser.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { CONTEXT, RESPONSE } from '../../model/requests.ts'
import { beginning, flow, taintIn, textBefore } from '../taint-flow.ts'

export const addressRules: readonly Rule[] = [
  {
    id: 'JS-SSRF-01',
    title: 'A request decides which host the server calls',
    cwe: 918,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'The server reaches what a stranger cannot: metadata of the cloud, databases, services of the inner network.',
    fix: 'Keep the host fixed and encode the rest, or check the parsed host against a list and refuse private addresses after resolving it.',
    on: {
      call(event) {
        const address = calledAddress(event)
        const hit =
          address && decidesHost(address) ? flow(event.expr.at, address, { cleanedBy: ['url'] }) : undefined
        return hit?.confidence === 'high' && !isHostChecked(event) ? hit : undefined
      },
    },
  },
  {
    id: 'JS-REDIR-01',
    title: 'A request decides where the browser is sent',
    cwe: 601,
    severity: 'warn',
    confidence: 'high',
    languages: ['javascript'],
    message:
      'A link to this site then leads to any other: a page that asks for the password again looks like ours.',
    fix: 'Send to a path of your own, refuse what begins with `//` or `\\`, or look the target up in a list.',
    on: {
      call(event) {
        const target = redirectTarget(event)
        const hit = target && decidesHost(target) ? flow(event.expr.at, target, ELSEWHERE) : undefined
        return hit?.confidence === 'high' && !isHostChecked(event) ? hit : undefined
      },
      assign({ object, name, value, expr }) {
        const isLocation =
          /^(?:window\.|document\.|self\.|top\.)?location$/.test(object?.name ?? '') && name === 'href'
        const isWhole = name === 'location' && /^(?:window|document|self|top)$/.test(object?.name ?? '')
        if (!(isLocation || isWhole) || !decidesHost(value) || !fromQuery(value)) return undefined
        return flow(expr.at, value, { cleanedBy: ['redirect'] })
      },
    },
  },
  {
    id: 'JS-HDR-01',
    title: 'A request writes a header of the answer',
    cwe: 113,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message: 'With a line break in it the value adds headers of its own, or ends them and writes the page.',
    fix: 'Encode the value (`encodeURIComponent`), or let the framework set the header, which refuses line breaks.',
    on: {
      // Node refuses line breaks in `setHeader` and `writeHead`; what is written to the socket itself is not looked at.
      call(event) {
        if (
          event.method !== 'write' ||
          !/(?:^|\.)socket$|net\.(?:Socket|connect|createConnection)/.test(event.receiver?.name ?? '')
        )
          return undefined
        const text = event.arg(0)?.value
        return text && /^HTTP\/1/.test(beginning(text))
          ? flow(event.expr.at, text, { cleanedBy: ['header'] })
          : undefined
      },
    },
  },
]

function calledAddress(event: CallEvent): AbstractValue | undefined {
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

/** A link can carry any query; it cannot make the browser send another host, or leave the path it leads to. */
const ELSEWHERE = {
  cleanedBy: ['redirect'],
  except:
    /\bheaders\b|^[\w$]+(?:\.req|\.request)?\.(?:host|hostname|originalUrl|url|path|pathname|header)$|nextUrl\.(?!search)|\b(?:get|header)\(\s*['"]/i,
} as const

function redirectTarget(event: CallEvent): AbstractValue | undefined {
  const { receiver, method, name } = event
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

/** What is ours at the beginning of an address settles the host, once the host is over. */
function decidesHost(address: AbstractValue): boolean {
  const text = beginning(address)
  if (text === '') {
    // A value of ours that is not known stands first: an origin from the settings.
    const first = address.pieces?.[0]
    return (
      first === undefined || typeof first === 'string' || taintIn(first, { cleanedBy: ['url'] }) !== undefined
    )
  }
  if (/^(?:https?:)?\/\/[^/?#]+[/?#]/i.test(text)) return false
  return /^(?:https?:)?(?:\/\/)?$/i.test(text) || /^(?:https?:)?\/\/[^/?#]*$/i.test(text)
}

/** The path of the page itself is no stranger's choice of where to go. */
const fromQuery = ({ taints }: AbstractValue): boolean => taints.some(({ label }) => !/pathname$/.test(label))

/** A check of the host that was taken out of the address. */
function isHostChecked(event: CallEvent): boolean {
  const before = textBefore(event, event.expr.at)
  return (
    /(?:includes|has|test|indexOf|===|!==|endsWith|some|match)\(?[^;\n]*\b(?:host|hostname|origin|protocol)\b|\b(?:host|hostname|origin)\b[^;\n]*(?:===|!==|endsWith|includes|has\(|match|test)/i.test(
      before,
    ) ||
    /(?:isSafe|isAllowed|isValid|validate|allowed|whitelist|allowlist|assertPublic|ssrf|isLocal|isRelative)\w*(?:Ur[li]|Host|Domain|Redirect|Origin|Path)?\w*\(/i.test(
      before,
    )
  )
}
