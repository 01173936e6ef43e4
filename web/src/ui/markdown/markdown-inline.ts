// One line of Markdown: emphasis, code, links, citations. Unknown syntax is shown as text, and only
// web and mail addresses become links.
import { closingTicks, withoutPadding } from '../code/code-spans.ts'

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: Styled; children: Inline[] }
  | { kind: 'link'; href: string; isBare: boolean; children: Inline[] }
  | { kind: 'cite'; n: number }
  | { kind: 'break' }

type Styled = 'strong' | 'em' | 'strike'
/** An opening marker; `at` is its position among the nodes read so far. */
type Opener = { sign: string; length: number; at: number; isBoth: boolean; depth: number }

const SPECIAL = /[\\`*_~[\]!<&\n]|https?:\/\//g
const PUNCTUATION = /[\p{P}\p{S}]/u
const SPACE = /\s/
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: '\u00a0',
}
/** A USSD code such as `*170*1#`: its stars are no markers. */
const DIAL_CODE = /\*\*\d+(?:\*\d+)+#|\*#?\d+(?:[*#]\d+)*#/y
/** Deeper nesting is treated as text. */
const DEEPEST = 12
const LONGEST_ADDRESS = 2_048

export function readInline(text: string, isInLink = false): Inline[] {
  const { code, brackets } = pairsOf(text)
  const out: Inline[] = []
  const openers: Opener[] = []
  let plain = 0
  let at = 0

  const flush = (end: number) => {
    if (end > plain) out.push({ kind: 'text', text: text.slice(plain, end) })
  }
  const put = (node: Inline, from: number, to: number) => {
    flush(from)
    out.push(node)
    plain = at = to
  }

  while (at < text.length) {
    SPECIAL.lastIndex = at
    const found = SPECIAL.exec(text)
    if (!found) break
    at = found.index
    const sign = found[0]
    if (sign === '\\') readEscape()
    else if (sign === '`') readCode()
    else if (sign === '\n') readBreak()
    else if (sign === '&') readEntity()
    else if (sign === '<') readAngle()
    else if (sign === '[') readBracket(at)
    else if (sign === '!' && text[at + 1] === '[') readBracket(at + 1)
    else if (sign === '*' || sign === '_' || sign === '~') readMark(sign)
    else if (sign.length > 1 && !isInLink) readAddress()
    else at += sign.length
  }
  flush(text.length)
  return joined(out)

  function readEscape() {
    const next = text[at + 1] ?? ''
    if (next === '\n') put({ kind: 'break' }, at, at + 2)
    else if (next !== '' && next < '\u007f' && PUNCTUATION.test(next)) {
      flush(at)
      plain = at + 1
      at += 2
    } else at++
  }

  function readCode() {
    const span = code.get(at)
    if (!span) {
      while (text[at] === '`') at++
      return
    }
    const inner = text.slice(at + span.ticks, span.end - span.ticks).replaceAll('\n', ' ')
    put({ kind: 'code', text: withoutPadding(inner) }, at, span.end)
  }

  function readBreak() {
    if (text[at - 1] === ' ' && text[at - 2] === ' ') put({ kind: 'break' }, at, at + 1)
    else at++
  }

  function readEntity() {
    const name = /^&([a-z#0-9]{2,6});/.exec(text.slice(at, at + 9))?.[1] ?? ''
    const said = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
    if (said === undefined) at++
    else put({ kind: 'text', text: said }, at, at + name.length + 2)
  }

  /** In angle brackets only line breaks and addresses have a meaning; everything else is text. */
  function readAngle() {
    const lineBreak = /^<br ?\/?>/i.exec(text.slice(at, at + 6))
    if (lineBreak) return put({ kind: 'break' }, at, at + lineBreak[0].length)
    const address = isInLink ? null : /^<([a-z]{3,6}:[^\s<>]*)>/i.exec(text.slice(at, at + LONGEST_ADDRESS))
    const href = address?.[1] ? safeAddress(address[1]) : null
    if (!address?.[1] || href === null) at++
    else
      put(
        { kind: 'link', href, isBare: true, children: [{ kind: 'text', text: address[1] }] },
        at,
        at + address[0].length,
      )
  }

  function readAddress() {
    const before = text[at - 1]
    let end = at
    while (end < text.length && end - at < LONGEST_ADDRESS && !/[\s<>"`]/.test(text[end] ?? '')) end++
    end = trimmedEnd(text, at, end)
    const href =
      before !== undefined && /[\p{L}\p{N}]/u.test(before) ? null : safeAddress(text.slice(at, end))
    if (href === null || end - at < 10) at += 4
    else
      put(
        { kind: 'link', href, isBare: true, children: [{ kind: 'text', text: text.slice(at, end) }] },
        at,
        end,
      )
  }

  function readBracket(open: number) {
    const close = brackets.get(open)
    if (close === undefined) {
      at = open + 1
      return
    }
    const inner = text.slice(open + 1, close)
    const target = text[close + 1] === '(' ? targetAt(text, close + 1) : null
    if (target) {
      const href = isInLink ? null : safeAddress(target.address)
      if (href !== null) {
        // An image would load from another server, so it becomes a link.
        const children = readInline(inner.trim() === '' ? target.address : inner, true)
        put({ kind: 'link', href, isBare: false, children }, at, target.end)
      } else at = open + 1
    } else if (/^\d{1,3}$/.test(inner) && open === at) put({ kind: 'cite', n: Number(inner) }, at, close + 1)
    else at = open + 1
  }

  function readMark(sign: string) {
    DIAL_CODE.lastIndex = at
    const code = /[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') ? null : DIAL_CODE.exec(text)
    if (code) {
      at += code[0].length
      return
    }
    let end = at
    while (text[end] === sign) end++
    const length = end - at
    const [before, after] = [text[at - 1] ?? ' ', text[end] ?? ' ']
    const isLeft =
      !SPACE.test(after) && (!PUNCTUATION.test(after) || SPACE.test(before) || PUNCTUATION.test(before))
    const isRight =
      !SPACE.test(before) && (!PUNCTUATION.test(before) || SPACE.test(after) || PUNCTUATION.test(after))
    const canOpen = sign === '_' ? isLeft && (!isRight || PUNCTUATION.test(before)) : isLeft
    const canClose = sign === '_' ? isRight && (!isLeft || PUNCTUATION.test(after)) : isRight
    if (length > 3 || (sign === '~' && length !== 2)) {
      at = end
      return
    }
    flush(at)
    plain = at = end
    const left = canClose ? close(sign, length) : length
    if (left === 0) return
    if (canOpen) openers.push({ sign, length: left, at: out.length, isBoth: canClose, depth: 0 })
    // An opener that is never closed is text.
    out.push({ kind: 'text', text: sign.repeat(left) })
  }

  /** Wraps the nodes since the nearest opener, as long as signs are left. Returns how many are left. */
  function close(sign: string, length: number): number {
    let left = length
    while (left > 0) {
      // Only the nearest openers are searched, so that a text full of stars stays fast.
      const place = findOpener(sign, left)
      const opener = openers[place]
      if (!opener) return left
      const used = sign === '~' || (opener.length >= 2 && left >= 2) ? 2 : 1
      const inside = Math.max(...openers.slice(place).map(({ depth }) => depth))
      if (inside >= DEEPEST) return left
      const children = out.splice(opener.at + 1)
      openers.length = place
      const kind: Styled = sign === '~' ? 'strike' : used === 2 ? 'strong' : 'em'
      out.pop()
      if (opener.length > used) {
        out.push({ kind: 'text', text: sign.repeat(opener.length - used) })
        openers.push({ ...opener, length: opener.length - used, depth: inside + 1 })
      }
      out.push({ kind, children: joined(children) })
      const outer = openers.at(-1)
      if (outer) outer.depth = Math.max(outer.depth, inside + 1)
      left -= used
    }
    return 0
  }

  function findOpener(sign: string, length: number): number {
    for (let place = openers.length - 1; place >= Math.max(0, openers.length - DEEPEST); place--) {
      const opener = openers[place]
      if (opener?.sign !== sign) continue
      if (sign === '~' || !opener.isBoth || (opener.length + length) % 3 !== 0) return place
    }
    return -1
  }
}

/** Where inline code starts and ends, and which bracket closes which, in one pass. */
function pairsOf(text: string) {
  const code = new Map<number, { end: number; ticks: number }>()
  const brackets = new Map<number, number>()
  const closing = closingTicks(text)
  const open: number[] = []
  const signs = /\\[\s\S]|`+|[[\]]/g
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign] = found
    if (sign[0] === '`') {
      const end = closing.get(found.index)
      if (end === undefined) continue
      code.set(found.index, { end: end + sign.length, ticks: sign.length })
      signs.lastIndex = end + sign.length
    } else if (sign === '[') open.push(found.index)
    else if (sign === ']') {
      const opened = open.pop()
      if (opened !== undefined) brackets.set(opened, found.index)
    }
  }
  return { code, brackets }
}

/** The address in `(address "title")`, and where it ends. */
function targetAt(text: string, open: number): { address: string; end: number } | null {
  let depth = 0
  let at = open + 1
  for (; at < text.length && at - open < LONGEST_ADDRESS; at++) {
    const sign = text[at] ?? ''
    if (SPACE.test(sign)) break
    if (sign === '(' && ++depth > 3) return null
    if (sign === ')' && depth-- === 0) break
  }
  const address = text.slice(open + 1, at).replace(/^<(.*)>$/, '$1')
  if (address === '') return null
  if (text[at] === ')') return { address, end: at + 1 }
  const title = /^\s+(?:"[^"\n]*"|'[^'\n]*')\s*\)/.exec(text.slice(at, at + 300))
  return title ? { address, end: at + title[0].length } : null
}

/** Excludes punctuation that ends the sentence, and a closing bracket that the address did not open. */
function trimmedEnd(text: string, start: number, end: number): number {
  let last = end
  let open = 0
  for (let at = start; at < end; at++) open += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
  for (; last > start; last--) {
    const sign = text[last - 1] ?? ''
    if (sign === ')' && open < 0) open++
    else if (!/[.,;:!?'*_~\]]/.test(sign)) break
  }
  return last
}

/** Only web and mail addresses, as the browser parses them. Anything else, such as a script, is no link. */
export function safeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:' ? href : null
}

/** Merges adjacent text nodes. */
function joined(nodes: Inline[]): Inline[] {
  const out: Inline[] = []
  for (const node of nodes) {
    const last = out.at(-1)
    if (node.kind === 'text' && last?.kind === 'text')
      out[out.length - 1] = { kind: 'text', text: last.text + node.text }
    else out.push(node)
  }
  return out
}
