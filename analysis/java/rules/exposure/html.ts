// Rules about HTML built from input.

import type { CallEvent, EventContext, Hit, ReturnEvent, Rule } from '../../../rule.ts'
import { RESPONSE_WRITER } from '../../model/types.ts'
import { constantText, enclosingText, flowHit, startsTainted } from '../taint-flow.ts'

export const crossSiteScripting: Rule = {
  id: 'JV-XSS-01',
  title: 'Input is written into an HTML page',
  cwe: 79,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
  message:
    'Input is written into the response unchanged. A crafted link runs a script in the browser of everyone who opens it, with their session.',
  fix: 'Encode the value for its context: `Encode.forHtml(value)`, `HtmlUtils.htmlEscape(value)`, or use a template that escapes. Send data as `application/json`.',
  on: {
    call(event) {
      if (!isWritten(event) || isNoPage(event)) return undefined
      return event.args
        .map(({ value }) => flowHit(event.expr.at, value, { sinks: ['html'], isDeep: isFormat(event) }))
        .find((hit) => hit !== undefined)
    },
    return: (event) => findReturnedHtml(event),
  },
}

const isFormat = ({ method }: CallEvent): boolean => /^(format|printf)$/.test(method)

function isWritten({ receiver, method }: CallEvent): boolean {
  const isResponse =
    receiver?.name?.startsWith(RESPONSE_WRITER) ||
    /(^|\.)(ServletOutputStream|JspWriter)$/.test(receiver?.type ?? '')
  return isResponse === true && /^(print|println|write|format|printf|append)$/.test(method)
}

/** Browsers do not run data and plain text. The content type may be set elsewhere in the class. */
const isNoPage = (event: EventContext): boolean =>
  NO_PAGE.test(enclosingText(event)) || (NO_PAGE.test(event.text) && !/text\/html|TEXT_HTML/.test(event.text))

const NO_PAGE =
  /set(ContentType|Header)\([^;]*("(application\/(?!xhtml)|text\/(plain|csv|xml|event-stream)|image\/)|MediaType\.(APPLICATION_(?!XHTML)|TEXT_(PLAIN|XML)))/

/** A method whose return value is the response body, with HTML in it. */
function findReturnedHtml(event: ReturnEvent): Hit | undefined {
  const [definition] = event.functions
  const annotations = [...(definition?.annotations ?? []), ...(event.classes[0]?.annotations ?? [])]
  const isBody = annotations.some(({ name }) => /^(ResponseBody|RestController)$/.test(name))
  const isEndpoint = definition?.annotations.some(({ name }) => /Mapping$/.test(name))
  if (!isBody || !isEndpoint || !/^(java\.lang\.)?String$/.test(definition?.returnType ?? ''))
    return undefined
  const isPage =
    (/<[a-z!/]/i.test(constantText(event.value)) || startsTainted(event.value)) &&
    !/produces\s*=[^)]*(json|plain|JSON|PLAIN)/.test(enclosingText(event))
  return isPage ? flowHit(event.at, event.value, { sinks: ['html'] }) : undefined
}
