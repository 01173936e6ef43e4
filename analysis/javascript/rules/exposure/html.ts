// Rules about HTML built from input, on the server and in the browser.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isTestCode } from '../../../engine/skipped-files.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import type { SourceRange } from '../../../syntax/tree.ts'
import { CONTEXT, RESPONSE } from '../../model/requests.ts'
import { constantPrefix, constantText, findTaint, flowHit, textBefore } from '../taint-flow.ts'
import { domHit, elementCallHit, elementHit, HTML_PROPERTIES, selectorHit, writtenHtml } from './page-html.ts'
import { attributeNameHit, replacementHit, returnedHtmlHit } from './returned-html.ts'

export const htmlRules: readonly Rule[] = [
  {
    id: 'JS-XSS-01',
    title: 'An HTML page is built from input',
    cwe: 79,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'With `<script>` in the value, a link to this page runs code in the browser of the visitor, with their session.',
    fix: 'Use a template that escapes, escape the value, or respond with JSON.',
    on: {
      call(event) {
        const replaced = replacementHit(event)
        if (replaced) return replaced
        const page = pageOf(event)
        const hit = page && isPage(event, page) ? pageHit(event.expr.at, page) : undefined
        if (!page || !hit) return undefined
        // The client of a test server is not a browser. An unknown function may have escaped its result.
        const isWeak = isTestCode(event.path) || isGuess(page)
        return isWeak ? { ...hit, severity: 'note' } : hit
      },
      assign(event) {
        if (event.name !== 'body') return undefined
        const { object, value, expr } = event
        if (object?.type !== CONTEXT || !/^\s*</.test(constantPrefix(value))) return undefined
        return pageHit(expr.at, value)
      },
      return: (event) => returnedHtmlHit(event) ?? attributeNameHit(event),
    },
  },
  {
    id: 'JS-XSS-02',
    title: 'Input is inserted into the page as HTML',
    cwe: 79,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'The browser parses the text as HTML. `<img onerror=…>` in the URL is enough to run code in the page.',
    fix: 'Use `textContent`, or sanitize the HTML with DOMPurify first.',
    on: {
      assign: (event) =>
        HTML_PROPERTIES.has(event.name) && !event.isEntry ? domHit(event, event.value) : undefined,
      call: (event) => domHit(event, writtenHtml(event)) ?? selectorHit(event) ?? elementCallHit(event),
      element: elementHit,
    },
  },
]

function pageOf(event: CallEvent): AbstractValue | undefined {
  const { method } = event
  if (!PAGE_METHODS.has(method)) return undefined
  const isPageMethod = event.receiver?.type === (method === 'html' ? CONTEXT : RESPONSE)
  return isPageMethod ? event.arg(0)?.value : undefined
}

const PAGE_METHODS: ReadonlySet<string> = new Set(['html', 'send', 'write', 'end'])

/** The name of a stored file needs a user who can store files, so it is less severe than a request. */
function pageHit(at: SourceRange, page: AbstractValue): Hit | undefined {
  const hit = flowHit(at, page, { sinks: ['html'] }) ?? scriptHit(at, page)
  if (hit) return hit
  const stored = flowHit(at, page, { sinks: ['html'], origins: ['stored'] })
  if (stored) return { ...stored, severity: 'warn' }
  // A server that a package starts: its caller supplies the data.
  const given =
    /<[a-z]/i.test(constantText(page)) && flowHit(at, page, { sinks: ['html'], origins: ['parameter'] })
  return given ? { ...given, severity: 'note' } : undefined
}

/** The result of an unknown function as a whole, without any tag in sight. */
function isGuess(page: AbstractValue): boolean {
  const taint = findTaint(page, { sinks: ['html'] })
  return taint !== undefined && taint.unknownCalls > 0 && !/<[a-z!/]/i.test(constantText(page))
}

/** `</script>` inside of JSON ends the script. */
function scriptHit(at: SourceRange, { pieces }: AbstractValue): Hit | undefined {
  const written = pieces?.find((piece, index) => {
    const before = pieces[index - 1]
    return (
      typeof piece !== 'string' &&
      piece.name === 'JSON.stringify()' &&
      typeof before === 'string' &&
      /<script\b(?:(?!<\/script)[\s\S])*$/i.test(before)
    )
  })
  return typeof written === 'object' ? flowHit(at, written, { sinks: ['shell'] }) : undefined
}

/** `end` and `write` do not set a content type. `send` sends HTML for a string and JSON for an object. */
function isPage(event: CallEvent, value: AbstractValue): boolean {
  const before = textBefore(event, event.expr.at)
  const chain = event.expr.callee.kind === 'member' ? event.source(event.expr.callee.object.at) : ''
  const type = lastType(before.slice(-1500)) ?? (HTML.test(before) ? 'html' : undefined)
  if (lastType(chain) === 'other' || type === 'other') return false
  const hasTags = /<[a-z!/]/i.test(constantText(value))
  if (event.method === 'send' && !isFastify(event))
    return value.pieces !== undefined || value.type === 'string' || hasTags
  return hasTags || type === 'html'
}

/** The branches of a handler set different types, usually just before they respond. */
function lastType(text: string): 'html' | 'other' | undefined {
  const last = [...text.matchAll(CONTENT_TYPE)].at(-1)?.[0]
  return last === undefined ? undefined : HTML.test(last) ? 'html' : 'other'
}

/** Fastify sends a string as plain text. */
const isFastify = ({ imports, expr: { callee }, source }: CallEvent): boolean =>
  imports(/^(?:fastify|@fastify\/.*)$/) ||
  (callee.kind === 'member' && /^reply\b/.test(source(callee.object.at)))

const HTML = /text\/html/
const CONTENT_TYPE =
  /text\/html|(?:application\/(?:json|xml|javascript|octet-stream|pdf|vnd)|text\/(?:plain|css|csv|event-stream|javascript|xml)|image\/)|\.type\(\s*['"](?:json|txt|text|js|css|xml|text\/plain)['"]|(?:set|header|setHeader)\(\s*['"]content-type['"]\s*,\s*[^'"`\s]/gi
