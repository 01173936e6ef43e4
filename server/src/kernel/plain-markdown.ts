// Removes Markdown formatting from a line. Only paired marks are formatting: a single `*`, a dial code such as `*170*1#`,
// `2*3*4`, `my_name` and `__init__` stay.

type Opener = { readonly sign: string; readonly length: number; readonly at: number }

/** A dial code of a phone: `*170#`, `*737*1*500#`, `*#06#`, `##002#`, `**21*0241234567#`. */
const DIAL_CODE = /\*\*\d+(?:\*\d+)+#|(?:\*#?|#{1,2}\*?)\d+(?:[*#]\d+)*#/y
/** A special name of Python. */
const DUNDER = /__[a-z][a-z0-9_]*__(?![\p{L}\p{N}])/uy
const WORD = /[\p{L}\p{N}]/u
const ESCAPABLE = /[!-/:-@[-`{-~]/
const MARKS = /[\\`*_~#]/g
const OPENERS_MAX = 12

/** Removes emphasis, backticks and backslashes before punctuation. Unpaired marks stay. */
export function stripMarkdown(text: string): string {
  const ticks = closingTicks(text)
  const out: string[] = []
  const openers: Opener[] = []
  let at = 0
  const take = (length: number) => {
    out.push(text.slice(at, at + length))
    at += length
  }
  while (at < text.length) {
    MARKS.lastIndex = at
    const next = MARKS.exec(text)?.index ?? text.length
    if (next > at) take(next - at)
    else if (text[at] === '\\') {
      if (ESCAPABLE.test(text[at + 1] ?? '')) at += 1
      take(1)
    } else if (text[at] === '`') readTicks()
    else if (literalLength() > 0) take(literalLength())
    else readRun()
  }
  return out.join('')

  function readTicks(): void {
    const run = runLength()
    const end = ticks.get(at)
    if (end === undefined) {
      take(run)
      return
    }
    const code = text.slice(at + run, end)
    out.push(/^ .*\S.* $/s.test(code) ? code.slice(1, -1) : code)
    at = end + run
  }

  function runLength(): number {
    let end = at
    while (text[end] === text[at]) end += 1
    return end - at
  }

  /** The length of a dial code or special name at this position; 0 without one. */
  function literalLength(): number {
    if (WORD.test(text[at - 1] ?? ' ')) return 0
    for (const pattern of [DIAL_CODE, DUNDER]) {
      pattern.lastIndex = at
      const found = pattern.exec(text)
      if (found) return found[0].length
    }
    return 0
  }

  function readRun(): void {
    const sign = text[at] ?? ''
    const length = runLength()
    const [before, after] = [text[at - 1] ?? ' ', text[at + length] ?? ' ']
    const isMark = sign !== '#' && length <= 3 && (sign !== '~' || length === 2)
    const canOpen = isMark && !WORD.test(before) && /\S/.test(after)
    const canClose = isMark && /\S/.test(before) && !WORD.test(after)
    const left = canClose ? close(sign, length) : length
    if (canOpen && left > 0 && openers.length < OPENERS_MAX)
      openers.push({ sign, length: left, at: out.length })
    out.push(sign.repeat(left))
    at += length
  }

  /** Removes the nearest opening marks that these marks close. Returns the number of remaining marks. */
  function close(sign: string, length: number): number {
    let left = length
    for (;;) {
      const place = openers.findLastIndex((opener) => opener.sign === sign && opener.length <= left)
      const opener = openers[place]
      if (!opener || left === 0) return left
      out[opener.at] = ''
      left -= opener.length
      openers.length = place
    }
  }
}

/** For each run of backticks that opens code, the position of the closing run. */
function closingTicks(text: string): Map<number, number> {
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => ({ index, length: run.length }))
  const following = new Map<number, number>()
  const closing = new Map<number, number>()
  for (const { index, length } of runs.reverse()) {
    const end = following.get(length)
    if (end !== undefined) closing.set(index, end)
    following.set(length, index)
  }
  return closing
}

/** HTML tags. `List<String>` and `<PIN>` do not match. */
export const HTML_TAG =
  /<\/?(?:a|abbr|article|aside|audio|b|blockquote|body|br|button|center|code|col|dd|del|details|div|dl|dt|em|embed|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|object|ol|option|p|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video)(?:[\s/][^<>]{0,500})?>/g
