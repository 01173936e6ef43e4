// Rules about URLs from input: outgoing requests and redirects.

import type { AbstractValue } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import { hasFixedHost, isLocalPath } from '../../rule-helpers/interpolations.ts'
import { requestHit } from '../../rule-helpers/request-flow.ts'

export const requestForgery: Rule = {
  id: 'RB-SSRF-01',
  title: 'A request is sent to a URL from input',
  cwe: 918,
  severity: 'error',
  confidence: 'medium',
  languages: ['ruby'],
  message:
    'Input decides to which host this server sends a request. It can be one that only this server reaches: the cloud metadata service, a database, the machine itself.',
  fix: 'Keep the host constant, or compare `URI.parse(url).host` with a list of allowed hosts and reject private addresses.',
  on: { call: findRequest },
}

const CLIENTS =
  /^(?:Net\.HTTP\.(?:get|get_response|get_print|post|post_form|start|Get|Post|Put|Delete|Patch|new)|Net\.HTTP|URI\.open|OpenURI\.open_uri|(?:Faraday|HTTParty|RestClient|Typhoeus|Excon|HTTP|HTTPX|Curl|HTTPClient)\.(?:get|post|put|patch|delete|head|new|request)|Faraday|RestClient\.Request\.execute|Typhoeus\.Request|RestClient\.Resource|Down\.download)$/
const CHECKED =
  /\.host\b|allow\w*[.([]|whitelist|trusted|valid\w*[?(]|private_address|SsrfFilter|\.include\?\(/i

function findRequest(event: CallEvent): Hit | undefined {
  const value = addressOf(event)
  const found = requestHit(
    event,
    [value],
    ['url'],
    'the URL of a request',
    (_, before) => !hasFixedHost(before) && /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#\0]*)?$/i.test(before),
  )
  return found && !matchesBefore(event, event.expr.at, CHECKED) ? found : undefined
}

function addressOf(event: CallEvent): AbstractValue | undefined {
  if (CLIENTS.test(event.name)) return event.option('url') ?? event.arg(0)?.value
  if (
    event.receiver &&
    event.method === 'open' &&
    /^(?:URI|URI\.parse|Addressable\.URI\.parse)\(\)$/.test(event.receiver.name ?? '')
  )
    return event.receiver
  return undefined
}

export const openRedirect: Rule = {
  id: 'RB-REDIR-01',
  title: 'A redirect target comes from input',
  cwe: 601,
  severity: 'warn',
  confidence: 'high',
  languages: ['ruby'],
  message:
    'A visitor is redirected to a URL from the request. A link to this site then leads to any other site, such as a fake page.',
  fix: 'Redirect to your own paths only: `redirect_to url_from(params[:to]) || root_path`, or choose from a list.',
  on: { call: findRedirect },
}

const LOCAL =
  /\.host\b|url_from|start_with\?|allow\w*[.([]|whitelist|trusted|valid\w*[?(]|\.include\?\(|=~\s*\/|\.match\?|validate_back_url|safe_\w*url|only_path/i

function findRedirect(event: CallEvent): Hit | undefined {
  if (event.receiver || !/^(?:redirect_to|redirect|redirect_back_or_default)$/.test(event.name))
    return undefined
  // A hash of route options keeps the host, unless the hash is the request.
  if (event.option('only_path')?.known === true) return undefined
  const isExternalForbidden = event.option('allow_other_host')?.known === false
  const found = isExternalForbidden
    ? undefined
    : requestHit(
        event,
        [event.arg(0)?.value],
        ['redirect', 'url'],
        'the target of a redirect',
        (taint, before) =>
          before === '' && !isLocalPath(before) && !/^request\.|merge|permit/.test(taint.label),
      )
  return found && !matchesBefore(event, event.expr.at, LOCAL) ? found : undefined
}
