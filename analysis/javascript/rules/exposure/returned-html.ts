// HTML that a library function builds from its arguments and returns.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Hit, ReturnEvent } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'
import { flatPieces } from './page-html.ts'

const OPTIONS = { sinks: ['html'], origins: ['parameter'] } as const

/** A tag with an argument in an attribute or as the text of the element. */
export function returnedHtmlHit({ value, at, expr }: ReturnEvent): Hit | undefined {
  const pieces = expr ? flatPieces(value) : undefined
  if (!pieces) return undefined
  const inserted = pieces.find((piece, index) => {
    const before = pieces[index - 1]
    return (
      typeof piece !== 'string' &&
      typeof before === 'string' &&
      (endsInAttribute(before) || (endsInElement(before) && /^[^<]*<\//.test(textAfter(pieces, index)))) &&
      findTaint(piece, OPTIONS)
    )
  })
  return noteOf(at, inserted)
}

function noteOf(at: Hit['at'], value: string | AbstractValue | undefined): Hit | undefined {
  const hit = typeof value === 'object' ? flowHit(at, value, OPTIONS) : undefined
  return hit && { ...hit, severity: 'note' }
}

/** The start of a tag is at most this long. Longer ones would take quadratic time. */
const TAG_LENGTH_MAX = 300

function endsInAttribute(text: string): boolean {
  const tag = text.slice(Math.max(text.lastIndexOf('<'), text.length - TAG_LENGTH_MAX))
  return ATTRIBUTE.test(tag)
}

const ATTRIBUTE =
  /^<[a-z][^<>]*\s(?:href|src|title|alt|value|style|class|on\w+|data-\w+)\s*=\s*["']?[^"'<>]*$/i

const endsInElement = (text: string): boolean => ELEMENT.test(text.slice(Math.max(0, text.lastIndexOf('<'))))
const ELEMENT =
  /^<(?:a|b|td|th|li|p|div|span|h\d|option|label|button|title|strong|em|code|pre)(?:\s[^<>]*)?>[^<]*$/i

function textAfter(pieces: NonNullable<AbstractValue['pieces']>, index: number): string {
  const after = pieces[index + 1]
  return typeof after === 'string' ? after : ''
}

/** ` ${name}="${escape(value)}"`: the escaped value is safe, but the name can end the tag. */
export function attributeNameHit(event: ReturnEvent): Hit | undefined {
  const { value, expr, functions } = event
  const { pieces } = value
  if (!pieces || !expr || !RENDERER.test(functions[0]?.name ?? '')) return undefined
  const named = pieces.find((piece, index) => {
    const before = pieces[index - 1]
    return (
      typeof piece !== 'string' &&
      typeof before === 'string' &&
      /\s$/.test(before.slice(-1)) &&
      /^=["']/.test(textAfter(pieces, index)) &&
      findTaint(piece, OPTIONS)
    )
  })
  const hit = noteOf(expr.at, named)
  return hit && { ...hit, detail: 'The name of an attribute is not checked.' }
}

const RENDERER = /attr|render|html|markup|element|tag/i

/** `markdown.replace(/\[(.*?)\]\((.*?)\)/g, '<a href="$2">$1</a>')`: the captured text is not escaped. */
export function replacementHit(event: CallEvent): Hit | undefined {
  if (event.method !== 'replace') return undefined
  const by = event.arg(1)?.value.known
  const { receiver } = event
  if (typeof by !== 'string' || !receiver || receiver.known !== undefined || !INSERTED.test(by))
    return undefined
  return noteOf(event.expr.at, receiver)
}

const INSERTED = /<[a-z][^<>$]{0,80}\s(?:href|src)\s?=\s?["']?\$\d/i
