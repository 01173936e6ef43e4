// Rules about URLs from input: outgoing requests and headers.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { matchesInFunction } from '../../../rule-helpers/function-text.ts'
import { constantPrefix, flowHit } from '../taint-flow.ts'
import { decidesHost, hostOf, isHostChecked } from './url-hosts.ts'

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
        return hit?.confidence === 'high' && !isHostChecked(event) && !isPageCode(event) ? hit : undefined
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

/** The browser of the visitor sends the request. */
const isPageCode = (event: CallEvent): boolean =>
  matchesInFunction(event, /\b(?:navigator|window|document)\.(?!fetch)/)

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
