// Rules about URLs and headers from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Hit, ReturnEvent, Rule } from '../../../rule.ts'
import { constantText, flowHit, isMethodOf, piecesOf, startsTainted } from '../taint-flow.ts'

export const requestForgery: Rule = {
  id: 'JV-SSRF-01',
  title: 'Input decides which host the server connects to',
  cwe: 918,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
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

function targetOf(event: CallEvent): AbstractValue | undefined {
  const { name, isNew } = event
  if (isMethodOf(event, ['java.net.URL'], /^(openStream|openConnection|getContent)$/))
    return event.receiver ?? undefined
  if (
    isMethodOf(
      event,
      ['org.springframework.web.client.RestTemplate'],
      /^(get|post|put|patch|head|delete|exchange|execute|options)\w*$/,
    )
  )
    return event.arg(0)?.value
  if (/^java\.net\.http\.HttpRequest\.newBuilder$/.test(name)) return event.arg(0)?.value
  if (/HttpRequest\.newBuilder\(\)\.uri$|(^|\.)Jsoup\.connect$/.test(name)) return event.arg(0)?.value
  if (
    isNew &&
    /^org\.apache\.(hc\.client5\.)?http\.\w[\w.]*\.Http(Get|Post|Put|Delete|Head|Patch)$/.test(name)
  )
    return event.arg(0)?.value
  return isMethodOf(event, ['okhttp3.Request.Builder'], /^url$/) ? event.arg(0)?.value : undefined
}

/** After a constant host, input only changes the path. */
export const namesHost = (value: AbstractValue): boolean =>
  !/^\w+:\/\/[^/\u0000?#]+[/?#]/.test(constantText(value)) && !isPathOnly(value)

/** Starts with an untainted value, such as a base URL from the settings. */
function isPathOnly(value: AbstractValue): boolean {
  const [first] = piecesOf(value)
  return first !== undefined && typeof first !== 'string' && first.taints.length === 0
}

export const openRedirect: Rule = {
  id: 'JV-REDIR-01',
  title: 'Input decides where the browser is redirected',
  cwe: 601,
  severity: 'warn',
  confidence: 'high',
  languages: ['java'],
  message:
    'Input is the target of a redirect. A link to this site then leads to another site that imitates it.',
  fix: 'Redirect only to paths of this site: reject values that do not start with a single `/`, or look the target up in a list.',
  on: {
    call(event) {
      const target = redirectOf(event)
      return target && startsTainted(target)
        ? flowHit(event.expr.at, target, { sinks: ['redirect', 'url'] })
        : undefined
    },
    return: (event) => returnedRedirect(event),
  },
}

const RESPONSES = ['javax.servlet.http.HttpServletResponse', 'javax.servlet.http.HttpServletResponseWrapper']

function redirectOf(event: CallEvent): AbstractValue | undefined {
  if (isMethodOf(event, RESPONSES, /^sendRedirect$/)) return event.arg(0)?.value
  const isLocation =
    isMethodOf(event, RESPONSES, /^(set|add)Header$/) &&
    /^location$/i.test(String(event.arg(0)?.value.known ?? ''))
  if (isLocation) return event.arg(1)?.value
  return event.isNew && /(^|\.)RedirectView$/.test(event.name) ? event.arg(0)?.value : undefined
}

/** Spring's `return "redirect:" + target`. */
function returnedRedirect(event: ReturnEvent): Hit | undefined {
  const [first, second] = piecesOf(event.value)
  const isEndpoint = event.functions[0]?.annotations.some(({ name }) => /Mapping$/.test(name))
  if (!isEndpoint || first !== 'redirect:' || second === undefined || typeof second === 'string')
    return undefined
  return flowHit(event.at, second, { sinks: ['redirect', 'url'] })
}

export const headerInjection: Rule = {
  id: 'JV-HEADER-01',
  title: 'Input is written into a response header',
  cwe: 113,
  severity: 'warn',
  confidence: 'medium',
  languages: ['java'],
  message:
    'Input becomes part of a header. With line breaks in it, an attacker adds headers or a whole page.',
  fix: 'Remove line breaks from the value, or look it up in a list of allowed values.',
  on: {
    call(event) {
      if (!isMethodOf(event, RESPONSES, /^(set|add)Header$/)) return undefined
      if (/^location$/i.test(String(event.arg(0)?.value.known ?? ''))) return undefined
      const hit = flowHit(event.expr.at, event.arg(1)?.value, { sinks: ['header', 'path'] })
      return hit?.confidence === 'high' ? { ...hit, confidence: 'medium' } : undefined
    },
  },
}
