// Rules about redirects to an address from the input.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, FunctionEvent, Hit, ReturnEvent, Rule } from '../../../rule.ts'
import { memoizeByText } from '../../../rule-helpers/memoize-by-text.ts'
import type { SourceRange } from '../../../syntax/tree.ts'
import { CONTEXT, RESPONSE } from '../../model/requests.ts'
import { findTaint, flowHit } from '../taint-flow.ts'
import { decidesHost, hostOf, isHostChecked } from './url-hosts.ts'

export const redirectRules: readonly Rule[] = [
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
        const isPage = PAGE_CALLS.test(event.name)
        const target = isPage ? event.arg(0)?.value : redirectTarget(event)
        if (!target || !decidesHost(target) || isHostChecked(event)) return undefined
        if (isPage) return flowHit(event.expr.at, target, PAGE_FLOW)
        return redirectHit(event, target) ?? ownPathHit(event, target)
      },
      return: returnedHit,
      assign(event) {
        const { name } = event
        if (name !== 'href' && name !== 'location' && !SAVED_TARGET.test(name)) return undefined
        const { object, value, expr } = event
        const isLocation =
          /^(?:window\.|document\.|self\.|top\.)?location$/.test(object?.name ?? '') && name === 'href'
        const isWhole = name === 'location' && /^(?:window|document|self|top)$/.test(object?.name ?? '')
        if ((isLocation || isWhole) && decidesHost(value)) return flowHit(expr.at, value, PAGE_FLOW)
        return savedPathHit(name, value, expr.at)
      },
      function: weakCheckHit,
    },
  },
]

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
  if (registersCheck(text)) return true
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
const registersCheck = memoizeByText((text) =>
  [...text.matchAll(/\b(?:use|get|post|all|route)\(/g)].some(({ index }) => {
    const [args = ''] = text.slice(index, index + REGISTRATION_LENGTH).split(/[;{}]/, 1)
    return [...args.matchAll(/\w{1,80}/g)].some(([name]) => CHECKING_NAME.test(name))
  }),
)

const REGISTRATION_LENGTH = 280
const CHECKING_NAME =
  /(?:safe|valid|allow|check|verif|guard|sanit|restrict)\w*(?:redirect|return|next|ur[li]|target|destination|host|origin|continue)/i
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
  'permanentRedirect',
  'sendRedirect',
  'Response',
  'NextResponse',
])

function redirectTarget(event: CallEvent): AbstractValue | undefined {
  const { method, name } = event
  if (!REDIRECT_METHODS.has(method)) return undefined
  const { receiver } = event
  if (FIRST_ARGUMENT.test(name)) return event.arg(0)?.value
  if (SECOND_ARGUMENT.test(name)) return event.arg(1)?.value
  if (event.isNew) return RESPONSES.test(name) ? locationOf(event.arg(1)?.value) : undefined
  if (receiver?.type === RESPONSE) {
    if (method === 'redirect') return event.args.length > 1 ? event.arg(1)?.value : event.arg(0)?.value
    const isHeader =
      /^(?:setHeader|set|header)$/.test(method) && /^location$/i.test(String(event.arg(0)?.value.known))
    if (isHeader) return event.arg(1)?.value
    return method === 'location'
      ? event.arg(0)?.value
      : (event.option('Location') ?? event.option('location'))
  }
  if (receiver?.type !== CONTEXT) return undefined
  if (method === 'redirect') return event.arg(0)?.value
  const isHeader = /^(?:set|header)$/.test(method) && /^location$/i.test(String(event.arg(0)?.value.known))
  return isHeader ? event.arg(1)?.value : undefined
}

/** Redirects of frameworks that are functions: Next.js, Remix, React Router, SvelteKit and H3. */
const FIRST_ARGUMENT =
  /^(?:Response\.redirect|next\/navigation\.(?:permanentR|r)edirect|next\/server\.NextResponse\.redirect|(?:@remix-run\/[\w-]+|react-router(?:-dom)?)\.redirect)$/
const SECOND_ARGUMENT = /^(?:@sveltejs\/kit\.redirect|h3\.sendRedirect)$/
const RESPONSES = /^(?:next\/server\.)?(?:Next)?Response$/

/** The `Location` header of a response object. */
function locationOf(response: AbstractValue | undefined): AbstractValue | undefined {
  const headers = response?.fields?.get('headers')?.fields
  return headers?.get('Location') ?? headers?.get('location')
}

/** `return { statusCode: 302, headers: { Location: target } }` in a function of API Gateway. */
function returnedHit(event: ReturnEvent): Hit | undefined {
  if (!event.value.fields?.has('statusCode')) return undefined
  const target = locationOf(event.value)
  if (!target || !decidesHost(target)) return undefined
  const hit = flowHit(event.at, hostOf(target), REDIRECT_FLOW)
  return hit?.confidence === 'high' ? hit : undefined
}

/** The page leaves for the address. */
const PAGE_CALLS = /^(?:(?:window|document|self|top)\.)?location\.(?:assign|replace)$/

/** `session.returnTo = req.originalUrl`: a path that starts with `//` is a redirect to another host later. */
function savedPathHit(name: string, value: AbstractValue, at: SourceRange): Hit | undefined {
  if (!SAVED_TARGET.test(name) || value.pieces) return undefined
  const taint = findTaint(value, { sinks: ['redirect'] })
  if (!taint || taint.unknownCalls > 0 || !OWN_PATH.test(taint.label)) return undefined
  const hit = flowHit(at, value, { sinks: ['redirect'] })
  return hit && { ...hit, severity: 'note', detail: 'A path that starts with `//` leads to another host.' }
}

const SAVED_TARGET = /^(?:return|redirect|continue|callback)_?(?:to|ur[li])$|^(?:return|redirect)_?path$/i

/** `isSafeRedirect` that rejects `//host`, but not `/\\host`, which browsers read the same way. */
function weakCheckHit({ definition, source }: FunctionEvent): Hit | undefined {
  if (!CHECK_NAME.test(definition.name) || !TARGET_NAME.test(definition.name)) return undefined
  const own = source(definition.at)
  if (!STARTS_LOCAL.test(own) || BACKSLASH.test(own)) return undefined
  return {
    at: definition.at,
    severity: 'note',
    detail: 'The check accepts `/\\host`, which browsers read as `//host`.',
  }
}

const CHECK_NAME = /^(?:is|validate|check|ensure|assert)/
const TARGET_NAME = /redirect|return_?(?:to|ur[li])|callback_?ur[li]/i
const STARTS_LOCAL = /\/\\\/\\\/|['"`]\/\/?['"`]|\/\^\\\//
const BACKSLASH = /\\\\|\bnew URL\(|\bURL\.parse\(|\.origin\b|\.host(?:name)?\b/

/** The attacker does not choose the host and the path of the page itself. */
const OWN_PAGE = /(?:pathname|location\.href|document\.URL|documentURI)$/
const PAGE_FLOW = { sinks: ['redirect'], except: OWN_PAGE } as const
