// Rules about incomplete filters against script in HTML.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { AssignEvent, CallEvent, CompareEvent, EventContext, Hit, Rule } from '../../../rule.ts'
import type { SourceRange } from '../../../syntax/tree.ts'
import { regexOf } from '../../model/regex-characters.ts'

export const htmlFilterRules: readonly Rule[] = [
  {
    id: 'JS-XSS-03',
    title: 'A filter of URL schemes misses some that run script',
    cwe: 79,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'Besides `javascript:`, addresses with `data:` can also run script or replace the page. Such an address passes the check.',
    fix: 'Allow the schemes you need (`http:`, `https:`, `mailto:`) instead of rejecting known bad ones, after decoding entities and removing control characters.',
    on: {
      call: (event) => (isSchemeCheck(event) ? missingSchemeHit(event, event.expr.at) : undefined),
      compare: (event) => (isComparedScheme(event) ? missingSchemeHit(event, event.expr.at) : undefined),
      assign: listHit,
    },
  },
  {
    id: 'JS-XSS-04',
    title: 'Script is removed from HTML by a regular expression',
    cwe: 79,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'Browsers accept many spellings that the pattern misses, such as `</script x>`, and `<scr<script>ipt>` becomes a tag again when the inner one is removed.',
    fix: 'Parse the HTML and keep only allowed tags and attributes (DOMPurify, sanitize-html), or escape the text.',
    on: { call: (event) => (removesScript(event) ? { at: event.expr.at } : undefined) },
  },
  {
    id: 'JS-XSS-05',
    title: 'An HTML escape function lets characters through',
    cwe: 79,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'The part of the text that is not escaped is parsed as HTML, so it can start a tag or an attribute.',
    fix: 'Replace every `&`, `<`, `>`, `"` and `\'`, with the flag `g`, or use the escape function of a library.',
    on: { call: escapeGapHit },
  },
]

/** `text.replace('<', '&lt;')` replaces the first character only. `/&(?!\w+;)/` keeps entities of the input. */
function escapeGapHit(event: CallEvent): Hit | undefined {
  if (event.method !== 'replace' || event.receiver?.known !== undefined) return undefined
  const [pattern, by] = [event.arg(0)?.value, event.arg(1)?.value.known]
  if (typeof by !== 'string' || !/^&(?:lt|gt|quot|amp|#\w+);$/.test(by)) return undefined
  const regex = regexOf(pattern)
  if (by === '&amp;')
    return regex && /&\(\?!/.test(regex.source)
      ? {
          at: event.expr.at,
          severity: 'note',
          detail: 'Entities of the input are kept and decoded by the browser.',
        }
      : undefined
  const isFirst = regex ? !regex.flags.includes('g') : typeof pattern?.known === 'string'
  // A pattern with other characters is a template, not an escape function.
  const isCharacter = /^[<>"']$/.test(regex?.source ?? String(pattern?.known))
  return isFirst && isCharacter
    ? { at: event.expr.at, detail: 'Only the first character is replaced.' }
    : undefined
}

/** `href.startsWith('javascript:')`, `url.indexOf('javascript:') === 0`, `/^javascript:/.test(url)`. */
function isSchemeCheck(event: CallEvent): boolean {
  const { method } = event
  if (!CHECKS.has(method)) return false
  const { receiver } = event
  const first = event.arg(0)?.value
  if (!receiver) return false
  if (method === 'startsWith' || method === 'indexOf' || method === 'includes')
    return isScriptScheme(first?.known) && receiver.type !== 'list'
  const pattern = method === 'test' || method === 'exec' ? receiver : method === 'match' ? first : undefined
  const source = regexOf(pattern)?.source
  return (
    source !== undefined &&
    /javascript(?:\\s\*|\s\*)?(?:\)?:|\|)/i.test(source) &&
    !DATA.test(source) &&
    !MEDIA_TYPE.test(source)
  )
}

const CHECKS: ReadonlySet<string> = new Set(['startsWith', 'indexOf', 'includes', 'test', 'exec', 'match'])
/** `application/javascript` is a media type, not a scheme. */
const MEDIA_TYPE = /application\\?\//

const isComparedScheme = ({ operator, left, right }: CompareEvent): boolean =>
  /^[!=]==?$/.test(operator) && (isScriptScheme(left.known) || isScriptScheme(right.known))

const isScriptScheme = (value: unknown): boolean =>
  typeof value === 'string' && /^javascript:$/i.test(value.trim())

/** Old browsers also ran `vbscript:`, but `data:` is the scheme that still works. */
const DATA = /\bdata\b/i

/** A filter, not a link that is skipped because it leads nowhere. */
function missingSchemeHit(event: EventContext, at: SourceRange): Hit | undefined {
  const inner = event.functions[0]?.at
  const text = inner
    ? event.text.slice(inner.start, inner.end)
    : event.text.slice(Math.max(0, at.start - NEAR_LENGTH), at.end + NEAR_LENGTH)
  if (DATA.test(text)) return undefined
  return FILTER.test(text) || FILTER.test(event.functions[0]?.name ?? '') ? { at } : { at, severity: 'note' }
}

const NEAR_LENGTH = 600
const FILTER = /sanit|escape|unsafe|isSafe|safeUrl|validateLink|allowed|\bprot(?:ocol)?\b|decodeURI|unescape/i

/** `BAD_PROTOCOLS = ['javascript', 'vbscript', 'file']`. */
function listHit(event: AssignEvent): Hit | undefined {
  if (!/proto|scheme/i.test(event.name)) return undefined
  const { value, expr } = event
  if (!value.fields) return undefined
  const items = [...value.fields.values()].map(({ known }: AbstractValue) => known)
  if (!items.some((item) => typeof item === 'string' && /^javascript:?$/i.test(item))) return undefined
  return DATA.test(items.join(' ')) ? undefined : { at: expr.at }
}

/** `html.replace(/<script[^>]*>.*?<\/script>/gi, '')` or the same for `onclick=`. */
function removesScript(event: CallEvent): boolean {
  if (event.method !== 'replace' && event.method !== 'replaceAll') return false
  const by = event.arg(1)?.value.known
  if (by !== '' && by !== ' ') return false
  const source = regexOf(event.arg(0)?.value)?.source
  return source !== undefined && event.receiver?.known === undefined && SCRIPT_TAG.test(source)
}

/** The pattern contains a script tag, or attributes such as `onclick=`. */
const SCRIPT_TAG =
  /<(?:\\s\*)?(?:\\?\/\??)?(?:\(\?:|\(|\\s\*)*script|(?:\\[sb][+*]?|[^a-z\\]|^)on(?:\\w|\[a-z\])[+*][^|]{0,8}=/i
