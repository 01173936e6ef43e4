import { isCall } from '../../engine/name-patterns.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import {
  findTaintedInterpolation,
  flowHit,
  hasFixedHost,
  isDirectRequest,
  isLocalPath,
} from '../../rule-helpers/interpolations.ts'

/** Rules about URLs from input: outgoing requests and redirects. */
export const requestForgery: Rule = {
  id: 'GO-SSRF-01',
  title: 'A request is sent to a URL from input',
  cwe: 918,
  severity: 'error',
  confidence: 'medium',
  languages: ['go'],
  message:
    'Input decides to which host this server sends a request. It can be one that only this server reaches: the cloud metadata service, a database, the machine itself.',
  fix: 'Keep the host constant, or compare it with a list of allowed hosts after `url.Parse`, and reject private addresses when connecting.',
  on: { call: findRequest },
}

const CHECKED =
  /\.Host(name)?(\(\))?\s*(==|!=)|\[[^\]]*\.Host(name\(\))?\]|\b\w*(allow|valid|trusted|permitted|whitelist|isSafe|isPublic|IsPrivate|IsLoopback)\w*[[(.]/i

function findRequest(event: CallEvent): Hit | undefined {
  const index = addressIndex(event)
  const value = index === undefined ? undefined : event.arg(index)?.value
  if (!value || matchesBefore(event, event.expr.at, CHECKED)) return undefined
  const found = findTaintedInterpolation(
    value,
    ['url'],
    (taint, { before }) => isDirectRequest(taint) && !hasFixedHost(before) && isHostPosition(before),
  )
  return found && flowHit(event.expr.at, found.taint, 'the URL of a request')
}

/** At the start, or in the host. After another value the position is unknown. */
const isHostPosition = (before: string): boolean => /^([a-z][a-z\d+.-]*:\/\/[^/?#\0]*)?$/i.test(before)

function addressIndex(event: CallEvent): number | undefined {
  if (isCall(event, 'net/http.Get', 'net/http.Head', 'net/http.Post', 'net/http.PostForm')) return 0
  if (isCall(event, 'http.Client#Get', 'http.Client#Head', 'http.Client#Post', 'http.Client#PostForm'))
    return 0
  if (isCall(event, 'net/http.NewRequest')) return 1
  if (isCall(event, 'net/http.NewRequestWithContext')) return 2
  if (isCall(event, 'net/http.DefaultClient.Get', 'net/http.DefaultClient.Post')) return 0
  return /^(Get|Post|Put|Delete)$/.test(event.method) && /\.R\(\)/.test(event.name) && event.imports(/resty/)
    ? 0
    : undefined
}

/** Open redirects. */
export const openRedirect: Rule = {
  id: 'GO-REDIR-01',
  title: 'A redirect target comes from input',
  cwe: 601,
  severity: 'warn',
  confidence: 'high',
  languages: ['go'],
  message:
    'A visitor is redirected to a URL from the request. A link to this site then leads to any other site, such as a fake page.',
  fix: 'Redirect only to your own paths: reject values that do not start with a single `/`, or choose from a list.',
  on: { call: findRedirect },
}

function findRedirect(event: CallEvent): Hit | undefined {
  const index = targetIndex(event)
  const value = index === undefined ? undefined : event.arg(index)?.value
  if (!value || matchesBefore(event, event.expr.at, CHECKED) || matchesBefore(event, event.expr.at, LOCAL))
    return undefined
  const found = findTaintedInterpolation(
    value,
    ['redirect', 'url'],
    (taint, { before }) => isDirectRequest(taint) && before === '',
  )
  if (!found || isLocalPath(found.hole.before)) return undefined
  return flowHit(event.expr.at, found.taint, 'the target of a redirect')
}

const LOCAL = /HasPrefix\([^)]*"\/|\.Host\s*[!=]=\s*""|IsAbs\(\)|\[0\]\s*[!=]=\s*'\/'/

function targetIndex(event: CallEvent): number | undefined {
  if (isCall(event, 'net/http.Redirect')) return 2
  if (isCall(event, 'gin.Context#Redirect', 'echo.Context#Redirect', 'v4.Context#Redirect')) return 1
  return isCall(event, 'fiber.Ctx#Redirect', 'v2.Ctx#Redirect') ? 0 : undefined
}
