// HTML that code in a browser writes into the page: DOM properties, jQuery, editor commands and React.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { Expr } from '../../../ir.ts'
import type { AssignEvent, CallEvent, ElementEvent, EventContext, Hit } from '../../../rule.ts'
import { memoizeByText } from '../../../rule-helpers/memoize-by-text.ts'
import { isQuery } from '../../model/page.ts'
import { MARKDOWN_TAG } from '../../model/sanitizers.ts'
import { constantPrefix, findTaint, flowHit, isEntryFile } from '../taint-flow.ts'

export const HTML_PROPERTIES: ReadonlySet<string> = new Set(['innerHTML', 'outerHTML', 'srcdoc'])

export function writtenHtml(event: CallEvent): AbstractValue | undefined {
  const { method, name } = event
  if (method === 'insertAdjacentHTML') return event.arg(1)?.value
  if (method === 'createContextualFragment') return event.arg(0)?.value
  if (isInsertCommand(event)) return event.args.at(-1)?.value
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

/** `document.execCommand('insertHTML', false, html)`, and editors with a command of the same name. */
const isInsertCommand = (event: CallEvent): boolean =>
  COMMAND_METHODS.has(event.method) &&
  (event.args.length === 2 || event.args.length === 3) &&
  /^insertHTML$/i.test(String(event.arg(0)?.value.known))

const COMMAND_METHODS: ReadonlySet<string> = new Set(['execCommand', 'exec', 'command', 'do', 'run'])

/** The file calls jQuery. */
const usesQuery = memoizeByText((text) =>
  /(?:^|[^\w$.])(?:\$|jQuery)(?:\(|\.(?:fn|extend|each)\b)/m.test(text),
)

const JQUERY_FUNCTIONS: ReadonlySet<string> = new Set(['$', 'jQuery', 'jquery'])
const JQUERY_METHODS: ReadonlySet<string> = new Set(
  'html append prepend before after replaceWith appendTo prependTo wrap wrapInner'.split(' '),
)

/** jQuery parses a text that starts with `<` as HTML, even where a selector is meant. */
export function selectorHit(event: CallEvent): Hit | undefined {
  if (!JQUERY_FUNCTIONS.has(event.name)) return undefined
  const first = event.arg(0)?.value
  if (!first || constantPrefix(first) !== '') return undefined
  const hit = flowHit(event.expr.at, first, { sinks: ['html'] })
  // Unknown functions rarely return a text.
  if (hit?.confidence === 'high') return hit
  const stored = flowHit(event.expr.at, first, { sinks: ['html'], origins: ['stored'] })
  return stored && { ...stored, severity: 'note' }
}

/** HTML written into the page of a browser. */
export function domHit(event: CallEvent | AssignEvent, value: AbstractValue | undefined): Hit | undefined {
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
function builtHit(event: HtmlEvent, value: AbstractValue): Hit | undefined {
  const pieces = flatPieces(value)
  if (!pieces?.some((piece) => typeof piece === 'string' && /<[a-z]/i.test(piece))) return undefined
  const options = { sinks: ['html'], origins: ['parameter'], except: MARKUP } as const
  const inserted = pieces.find((piece) => typeof piece !== 'string' && findTaint(piece, options))
  const hit = typeof inserted === 'object' ? flowHit(event.expr.at, inserted, options) : undefined
  const isPublic = isEntryFile(event.path) || /(?:\$|jQuery)\.fn\b/.test(event.text)
  return hit && (!isPublic || isMarkdown(pieces)) ? { ...hit, severity: 'note' } : hit
}

/** The markup of an element is parsed again as what it was. */
const MARKUP = /\.(?:inner|outer)HTML$/

/** The developer may have written the markdown. */
const isMarkdown = (pieces: readonly (string | AbstractValue)[]): boolean => pieces[0] === MARKDOWN_TAG

/** The pieces of a text, with those of the texts in it. */
export function flatPieces(
  { pieces }: AbstractValue,
  depth = 0,
): readonly (string | AbstractValue)[] | undefined {
  return pieces?.flatMap((piece) =>
    typeof piece === 'string' || !piece.pieces || depth > 2 ? [piece] : (flatPieces(piece, depth + 1) ?? []),
  )
}

type HtmlEvent = EventContext & { readonly expr: Expr }

export function elementHit({ expr, entries, ...event }: ElementEvent): Hit | undefined {
  return innerHit({ ...event, expr }, entries.get('dangerouslySetInnerHTML'))
}

/** `createElement('div', { dangerouslySetInnerHTML: { __html: html } })`. */
export function elementCallHit(event: CallEvent): Hit | undefined {
  if (!ELEMENT_METHODS.has(event.method) || event.args.length < 2) return undefined
  return innerHit(event, event.arg(1)?.value.fields?.get('dangerouslySetInnerHTML'))
}

const ELEMENT_METHODS: ReadonlySet<string> = new Set(['createElement', 'jsx', 'jsxs', 'h'])

function innerHit(event: HtmlEvent, inner: AbstractValue | undefined): Hit | undefined {
  const html = inner?.fields?.get('__html')
  return html && (flowHit(event.expr.at, html, { sinks: ['html'] }) ?? builtHit(event, html))
}
