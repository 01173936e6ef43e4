// Rules about pages, redirects and requests to addresses from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import { namesHost } from '../../../java/rules/exposure/urls.ts'
import {
  constantText,
  enclosingText,
  flowHit,
  isMethodOf,
  startsTainted,
} from '../../../java/rules/taint-flow.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'

export const crossSiteScripting: Rule = {
  id: 'CS-XSS-01',
  title: 'Input is written into an HTML page',
  cwe: 79,
  severity: 'error',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'Input is written into the page unchanged. A crafted link runs a script in the browser of everyone who opens it, with their session.',
  fix: 'Encode the value: `HtmlEncoder.Default.Encode(value)`, or let Razor do it (`@value` without `Html.Raw`). Send data as JSON.',
  on: { call: (event) => unencoded(event) },
}

function unencoded(event: CallEvent): Hit | undefined {
  const { name, isNew, args, expr } = event
  const [first] = args
  if (!first) return undefined
  const isMarkup =
    /(?:^|\.)Html\.Raw$/.test(name) ||
    (isNew && /^(?:HtmlString|MarkupString|MvcHtmlString)$/.test(name)) ||
    name === 'MvcHtmlString.Create'
  if (isMarkup || isPage(event)) return flowHit(expr.at, first.value, { sinks: ['html'] })
  const isWritten = isMethodOf(event, ['HttpResponse'], /^(?:Write|WriteAsync)$/)
  return isWritten && isHtml(event, first.value)
    ? flowHit(expr.at, first.value, { sinks: ['html'] })
    : undefined
}

/** `Content(html, "text/html")` of controllers and minimal APIs. */
const isPage = ({ method, args, source }: CallEvent): boolean =>
  /^(?:Content|Text)$/.test(method) &&
  args.slice(1).some(({ expr }) => /text\/html|MediaTypeNames\.Text\.Html/i.test(source(expr.at)))

function isHtml(event: CallEvent, value: AbstractValue): boolean {
  const text = enclosingText(event)
  const isOther = /ContentType\s*=[^;]*(?:json|plain|csv|octet|xml|event-stream)/i.test(text)
  return (
    !isOther && (/<[a-z!/]/i.test(constantText(value)) || (startsTainted(value) && /text\/html/i.test(text)))
  )
}

export const openRedirect: Rule = {
  id: 'CS-REDIR-01',
  title: 'Input decides where the browser is redirected',
  cwe: 601,
  severity: 'warn',
  confidence: 'high',
  languages: ['csharp'],
  message:
    'Input is the target of a redirect. A link to this site then leads to another site that imitates it.',
  fix: 'Use `LocalRedirect(url)`, or check `Url.IsLocalUrl(url)` first.',
  on: {
    call(event) {
      const { method, isNew, name, receiver, args, expr } = event
      const isRedirect =
        (/^Redirect(?:Permanent|PreserveMethod|PermanentPreserveMethod)?$/.test(method) &&
          receiver?.classDefinition === undefined) ||
        (isNew && name === 'RedirectResult')
      const target = isRedirect ? args[0]?.value : undefined
      return target && startsTainted(target)
        ? flowHit(expr.at, target, { sinks: ['redirect', 'url'] })
        : undefined
    },
  },
}

export const requestForgery: Rule = {
  id: 'CS-SSRF-01',
  title: 'Input decides which host the server connects to',
  cwe: 918,
  severity: 'error',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'Input decides the host of a request that the server makes. An attacker reaches services that only the server can reach.',
  fix: 'Keep the host constant, or look it up in a list of allowed hosts, and encode the rest.',
  on: {
    call(event) {
      const target = targetOf(event)
      return target && namesHost(target) ? flowHit(event.expr.at, target, { sinks: ['url'] }) : undefined
    },
  },
}

const SENDS =
  /^(?:Get(?:String|Stream|ByteArray)?Async|(?:Post|Put|Patch|Delete)Async|(?:Post|Put|Patch)AsJsonAsync|(?:Get|Delete)FromJsonAsync|GetFromJsonAsync|Download(?:String|Data|File)(?:Async|TaskAsync)?|UploadString|OpenRead)$/

function targetOf(event: CallEvent): AbstractValue | undefined {
  const { name, method, isNew, receiver } = event
  if (isNew && name === 'HttpRequestMessage') return event.arg(1)?.value
  if (isNew && /^(?:RestClient|RestRequest)$/.test(name)) return event.arg(0)?.value
  if (/^(?:Http)?WebRequest\.Create(?:Http)?$/.test(name)) return event.arg(0)?.value
  const isClient =
    isMethodOf(event, ['HttpClient', 'WebClient'], SENDS) ||
    (SENDS.test(method) &&
      receiver?.type === undefined &&
      /client|http/i.test(event.source(event.expr.callee.at)))
  return isClient ? event.arg(0)?.value : undefined
}
