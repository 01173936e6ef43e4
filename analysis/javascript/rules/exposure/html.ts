// Rules about HTML built from input, on the server and in the browser.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isTestCode } from '../../../engine/skipped-files.ts'
import type { AssignEvent, CallEvent, ElementEvent, Hit, ReturnEvent, Rule } from '../../../rule.ts'
import { memoizeByText } from '../../../rule-helpers/memoize-by-text.ts'
import type { SourceRange } from '../../../syntax/tree.ts'
import { isQuery } from '../../model/page.ts'
import { CONTEXT, RESPONSE } from '../../model/requests.ts'
import { constantPrefix, constantText, findTaint, flowHit, isEntryFile, textBefore } from '../taint-flow.ts'

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
      return: attributeHit,
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
      call: (event) => domHit(event, writtenHtml(event)) ?? selectorHit(event),
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

/** A library function that returns a tag with an argument in an attribute or as the text of the element. */
function attributeHit({ value, at, expr }: ReturnEvent): Hit | undefined {
  const { pieces } = value
  if (!pieces || !expr) return undefined
  const options = { sinks: ['html'], origins: ['parameter'] } as const
  const inserted = pieces.find((piece, index) => {
    const before = pieces[index - 1]
    return (
      typeof piece !== 'string' &&
      typeof before === 'string' &&
      (ATTRIBUTE.test(before) || (TEXT.test(before) && /^[^<]*<\//.test(textAfter(pieces, index)))) &&
      findTaint(piece, options)
    )
  })
  const hit = typeof inserted === 'object' ? flowHit(at, inserted, options) : undefined
  return hit && { ...hit, severity: 'note' }
}

const ATTRIBUTE =
  /<[a-z][^<>]*\s(?:href|src|title|alt|value|style|class|on\w+|data-\w+)\s*=\s*["']?[^"'<>]*$/i
const TEXT =
  /<(?:a|b|td|th|li|p|div|span|h\d|option|label|button|title|strong|em|code|pre)(?:\s[^<>]*)?>[^<]*$/i

function textAfter(pieces: NonNullable<AbstractValue['pieces']>, index: number): string {
  const after = pieces[index + 1]
  return typeof after === 'string' ? after : ''
}

const HTML_PROPERTIES: ReadonlySet<string> = new Set(['innerHTML', 'outerHTML', 'srcdoc'])

function writtenHtml(event: CallEvent): AbstractValue | undefined {
  const { method, name } = event
  if (method === 'insertAdjacentHTML') return event.arg(1)?.value
  if (method === 'createContextualFragment') return event.arg(0)?.value
  if (name === 'document.write' || name === 'document.writeln') return event.arg(0)?.value
  if (JQUERY_FUNCTIONS.has(name)) {
    const first = event.arg(0)?.value
    return first && /^\s*</.test(constantPrefix(first)) ? first : undefined
  }
  if (!JQUERY_METHODS.has(method)) return undefined
  const first = event.arg(0)?.value
  // `append` of the page itself takes the text as text, so another receiver must be a jQuery object.
  const isTag = first !== undefined && /^\s*<[a-z]/i.test(constantPrefix(first))
  return isQuery(event) ||
    (isTag && usesQuery(event.text) && !/Child|Node/.test(event.source(event.expr.callee.at)))
    ? first
    : undefined
}

/** The file calls jQuery. */
const usesQuery = memoizeByText((text) =>
  /(?:^|[^\w$.])(?:\$|jQuery)(?:\(|\.(?:fn|extend|each)\b)/m.test(text),
)

const JQUERY_FUNCTIONS: ReadonlySet<string> = new Set(['$', 'jQuery', 'jquery'])
const JQUERY_METHODS: ReadonlySet<string> = new Set(
  'html append prepend before after replaceWith appendTo prependTo wrap wrapInner'.split(' '),
)

/** jQuery parses a text that starts with `<` as HTML, even where a selector is meant. */
function selectorHit(event: CallEvent): Hit | undefined {
  if (!JQUERY_FUNCTIONS.has(event.name)) return undefined
  const first = event.arg(0)?.value
  if (!first || constantPrefix(first) !== '') return undefined
  const hit = flowHit(event.expr.at, first, { sinks: ['html'] })
  // Unknown functions rarely return a text.
  if (hit?.confidence === 'high') return hit
  const stored = flowHit(event.expr.at, first, { sinks: ['html'], origins: ['stored'] })
  return stored && { ...stored, severity: 'note' }
}

function domHit(event: CallEvent | AssignEvent, value: AbstractValue | undefined): Hit | undefined {
  if (!value) return undefined
  const hit = flowHit(event.expr.at, value, { sinks: ['html'], origins: ['request', 'stored'] })
  return hit ?? builtHit(event, value) ?? unsafeParseHit(event, value)
}

/** A sanitizer that parses in the live document: images load and their handlers run before anything is removed. */
function unsafeParseHit(event: CallEvent | AssignEvent, value: AbstractValue): Hit | undefined {
  if (!('object' in event) || event.object?.name !== 'document.createElement()') return undefined
  const [inner] = event.functions
  const { expr } = event
  const given = expr.kind === 'name' ? expr.name : undefined
  const isGiven = inner?.parameters.some(({ target }) => target.kind === 'name' && target.name === given)
  if (!inner || !isGiven || value.known !== undefined || !CLEANING.test(event.source(inner.at)))
    return undefined
  return { at: expr.at, detail: 'The text is parsed in the live document before it is cleaned.' }
}

const CLEANING = /\b_?(?:sanitize|sanitise|purify|clean)\w*\([\s\S]*return\b[^;\n]*\.innerHTML/i

/** A tag built around an argument of a library function. HTML passed as a whole is meant to be HTML. */
function builtHit(event: CallEvent | AssignEvent, { pieces }: AbstractValue): Hit | undefined {
  if (!pieces?.some((piece) => typeof piece === 'string' && /<[a-z]/i.test(piece))) return undefined
  const options = { sinks: ['html'], origins: ['parameter'] } as const
  const inserted = pieces.find((piece) => typeof piece !== 'string' && findTaint(piece, options))
  const hit = typeof inserted === 'object' ? flowHit(event.expr.at, inserted, options) : undefined
  const isPublic = isEntryFile(event.path) || /(?:\$|jQuery)\.fn\b/.test(event.text)
  return hit && !isPublic ? { ...hit, severity: 'note' } : hit
}

function elementHit({ expr, entries }: ElementEvent): Hit | undefined {
  const html = entries.get('dangerouslySetInnerHTML')?.fields?.get('__html')
  return flowHit(expr.at, html, { sinks: ['html'] })
}
