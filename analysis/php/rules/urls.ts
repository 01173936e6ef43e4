import type { AbstractValue } from '../../abstract-value.ts'
import { isType } from '../../engine/name-patterns.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import {
  findTaintedInterpolation,
  flowHit,
  hasFixedHost,
  isDirectRequest,
  isLocalPath,
} from '../../rule-helpers/interpolations.ts'
import { words } from '../model/values.ts'
import { isUrlName } from './files.ts'

/** Rules about URLs from input: outgoing requests and redirects. */
export const requestForgery: Rule = {
  id: 'PH-SSRF-01',
  title: 'A request is sent to a URL from input',
  cwe: 918,
  severity: 'error',
  confidence: 'medium',
  languages: ['php'],
  message:
    'Input decides to which host this server sends a request. It can be one that only this server reaches: the cloud metadata service, a database, the machine itself.',
  fix: 'Keep the host constant, or compare `parse_url($url, PHP_URL_HOST)` with a list of allowed hosts and reject private addresses.',
  on: { call: findRequest },
}

const CHECKED =
  /parse_url\(|in_array\(|filter_var\([^)]*FILTER_FLAG_NO_PRIV|\$?\w*(allow|whitelist|trusted|valid)\w*[[(]|wp_http_validate_url/i

function findRequest(event: CallEvent): Hit | undefined {
  const value = addressOf(event)
  if (!value) return undefined
  const found = findTaintedInterpolation(
    value,
    ['url'],
    (taint, { before }) =>
      isDirectRequest(taint) &&
      !hasFixedHost(before) &&
      isHostPosition(before) &&
      isMeantAsUrl(event, taint.label, before),
  )
  return found && !matchesBefore(event, event.expr.at, CHECKED)
    ? flowHit(event.expr.at, found.taint, 'the URL of a request')
    : undefined
}

const isHostPosition = (before: string): boolean => /^([a-z][a-z\d+.-]*:\/\/[^/?#\0]*)?$/i.test(before)

/** Functions that open files also open URLs. The name of the value shows which is meant. */
const isMeantAsUrl = (event: CallEvent, label: string, before: string): boolean =>
  !EITHER.has(event.name) || before !== '' || isUrlName(event, label)

const EITHER = new Set(words('file_get_contents fopen file readfile copy simplexml_load_file getimagesize'))
const ADDRESSED = new Set(
  words('curl_init get_headers wp_remote_get wp_remote_post wp_remote_request wp_remote_head fsockopen'),
)
const VERBS = new Set(words('get post put delete head patch'))

function addressOf(event: CallEvent): AbstractValue | undefined {
  const { name, receiver, method } = event
  if (!receiver && (EITHER.has(name) || ADDRESSED.has(name))) return event.arg(0)?.value
  if (name === 'curl_setopt' && event.arg(1)?.value.name === 'CURLOPT_URL') return event.arg(2)?.value
  if (receiver?.name === 'Http' && VERBS.has(method)) return event.arg(0)?.value
  const isClient =
    isType(receiver?.type, 'Client') ||
    isType(receiver?.type, 'HttpClientInterface') ||
    /\bClient\(\)$/.test(receiver?.name ?? '')
  if (!isClient) return undefined
  return method === 'request' ? event.arg(1)?.value : VERBS.has(method) ? event.arg(0)?.value : undefined
}

/** Open redirects. */
export const openRedirect: Rule = {
  id: 'PH-REDIR-01',
  title: 'A redirect target comes from input',
  cwe: 601,
  severity: 'warn',
  confidence: 'high',
  languages: ['php'],
  message:
    'A visitor is redirected to a URL from the request. A link to this site then leads to any other site, such as a fake page.',
  fix: 'Redirect only to your own paths: reject values that do not start with a single `/`, or choose from a list.',
  on: { call: findRedirect },
}

const LOCAL =
  /parse_url\(|in_array\(|(strpos|str_starts_with|substr|preg_match|strncmp)\([^;]*['"][^'"]*\/|\$?\w*(allow|whitelist|trusted|valid)\w*[[(]/i

function findRedirect(event: CallEvent): Hit | undefined {
  const value = targetOf(event)
  const found =
    value &&
    findTaintedInterpolation(value, ['redirect', 'url'], (taint, { before }) => {
      const target = before.replace(/^Location:\s*/i, '')
      // A redirect to the current or previous page of the visitor is safe.
      return isDirectRequest(taint) && target === '' && !taint.label.startsWith('$_SERVER')
    })
  if (!found || isLocalPath(found.hole.before.replace(/^Location:\s*/i, ''))) return undefined
  return matchesBefore(event, event.expr.at, LOCAL)
    ? undefined
    : flowHit(event.expr.at, found.taint, 'the target of a redirect')
}

const REDIRECTING = new Set(['header', 'wp_redirect', 'redirect', 'RedirectResponse', 'to', 'away'])

function targetOf(event: CallEvent): AbstractValue | undefined {
  if (!REDIRECTING.has(event.name) && !REDIRECTING.has(event.method)) return undefined
  const first = event.arg(0)?.value
  if (event.name === 'header') return /^Location:/i.test(String(first?.pieces?.[0] ?? '')) ? first : undefined
  if (event.name === 'wp_redirect' || event.name === 'redirect') return first
  if (event.isNew && event.name === 'RedirectResponse') return first
  if (['Redirect.to', 'Redirect.away'].includes(event.name)) return first
  const isHelper = /^redirect\(\)$/.test(event.receiver?.name ?? '') && /^(to|away)$/.test(event.method)
  const isOwn =
    event.method === 'redirect' &&
    event.expr.callee.kind === 'member' &&
    event.expr.callee.object.kind === 'name' &&
    event.expr.callee.object.name === 'this'
  return isHelper || isOwn ? first : undefined
}
