// Rules about HTML and templates built from input.

import type { CallEvent, Hit, ReturnEvent, Rule } from '../../rule.ts'
import { matchesInFunction } from '../../rule-helpers/function-text.ts'
import {
  findTaintedInterpolation,
  flowHit,
  isDirectRequest,
  outlineOf,
} from '../../rule-helpers/interpolations.ts'
import { requestHit } from '../../rule-helpers/request-flow.ts'
import { words } from '../model/values.ts'

export const crossSiteScripting: Rule = {
  id: 'RB-XSS-01',
  title: 'Input is shown without escaping',
  cwe: 79,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message:
    'A value from the request becomes part of a page unchanged. A crafted link runs a script in the browser of everyone who opens it, with their session.',
  fix: 'Leave the escaping to the template (`<%= value %>`), or use `sanitize(value)` or `ERB::Util.h(value)`. Do not mark input with `html_safe` or `raw`.',
  on: { call: findUnescaped, return: findReturned },
}

const UNSAFE = new Set(words('raw ActiveSupport.SafeBuffer safe_concat concat_raw'))

function findUnescaped(event: CallEvent): Hit | undefined {
  if (event.method === 'html_safe')
    return requestHit(event, [event.receiver ?? undefined], ['html'], 'a page')
  if (UNSAFE.has(event.name) || event.method === 'safe_concat')
    return requestHit(event, [event.arg(0)?.value], ['html'], 'a page')
  if (event.name !== 'render' || event.receiver) return undefined
  const html = event.option('html') ?? event.option('body')
  // `render html:` escapes a text that is not marked as safe.
  const isMarked = /\bhtml:.*\.html_safe|content_type:\s*['"]text\/html/s.test(event.source(event.expr.at))
  return html && isMarked ? requestHit(event, [html], ['html'], 'a page') : undefined
}

/** The text that a Sinatra route returns is the page. */
function findReturned(event: ReturnEvent): Hit | undefined {
  const { value, at, functions, text, imports } = event
  const isRoute =
    functions[0]?.name === '' &&
    /^\s*(?:get|post|put|patch|delete)\b/.test(lineBefore(text, functions[0].at.start))
  if (!isRoute || !(imports(/^sinatra/) || /Sinatra::/.test(text))) return undefined
  if (
    !/<[a-z!/]/i.test(outlineOf(value)) ||
    matchesInFunction(event, /content_type\s+(?!['":]?(?:text\/)?html)/)
  )
    return undefined
  const found = findTaintedInterpolation(value, ['html'], isDirectRequest)
  return found && flowHit(at, found.taint, 'a page')
}

const lineBefore = (text: string, start: number): string =>
  text.slice(text.lastIndexOf('\n', start - 1) + 1, start)

export const templateInjection: Rule = {
  id: 'RB-SSTI-01',
  title: 'Input is compiled as a template',
  cwe: 1336,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message: 'The text of a template is Ruby code. Input in it runs with the permissions of the server.',
  fix: 'Keep the template constant and pass the input to it as a variable.',
  on: { call: findTemplate },
}

const ENGINES =
  /^(?:ERB|Erubi\.Engine|Erubis\.\w+|Haml\.(?:Engine|Template)|Slim\.Template|Tilt\.\w+Template|Tilt|Temple\.\w+)$/

function findTemplate(event: CallEvent): Hit | undefined {
  if (event.isNew && ENGINES.test(event.name))
    return requestHit(event, [event.arg(0)?.value], ['code'], 'the text of a template')
  if (event.name === 'render' && event.receiver === null)
    return requestHit(event, [event.option('inline')], ['code'], 'the text of a template')
  if (event.receiver === null && /^(?:erb|haml|slim)$/.test(event.name))
    return requestHit(
      event,
      [event.arg(0)?.value],
      ['code'],
      'the text of a template',
      (_, before) => before !== '',
    )
  return undefined
}
