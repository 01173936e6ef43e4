// The sentences of a page as they stand in it, so that each can be quoted.

const ENDS = /[.!?…]["'”’»)\]]{0,2}(?=\s)|[。！？؟۔]["'”’»」）]{0,2}/g
const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st sr jr vs no nos fig eq ca cf al approx e.g i.e u.s u.k inc ltd co corp dept est vol art sec p pp'.split(
    ' ',
  ),
)
/** A line that ends before this was not broken for want of room. */
const SHORT_LINE = 45
/** What begins something of its own: a heading, an item of a list, a row of a table, a quotation. */
const OWN_LINE = /^\s*(?:#{1,6} |[-*•>] |\d{1,3}[.)] |\|)/

/** Each a piece of the text, verbatim; a line break inside counts as a space does. */
export function sentencesOf(text: string): string[] {
  return blocksOf(text).flatMap((block) => {
    const sentences: string[] = []
    let from = 0
    for (const { index, 0: end } of block.matchAll(ENDS)) {
      const to = index + end.length
      if (isInside(block, index, to)) continue
      sentences.push(block.slice(from, to).trim())
      from = to
    }
    sentences.push(block.slice(from).trim())
    return sentences.filter((sentence) => sentence !== '')
  })
}

/** Lines that were broken only for want of room, together again. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  const flush = () => {
    if (lines.length > 0) blocks.push(lines.join('\n'))
    lines = []
  }
  for (const line of text.split('\n')) {
    if (line.trim() === '' || OWN_LINE.test(line)) flush()
    if (line.trim() === '') continue
    lines.push(line)
    if (line.length < SHORT_LINE || line.startsWith('#')) flush()
  }
  flush()
  return blocks
}

const WORD_BEFORE_MAX = 12

/** Whether a mark does not end the sentence: after an abbreviation or an initial, or when it goes on in lower case. */
function isInside(block: string, index: number, to: number): boolean {
  if (block[index] !== '.') return false
  const next = block.slice(to, to + 8).trimStart()[0] ?? ''
  if (next !== '' && next !== next.toUpperCase()) return true
  const before = block.slice(Math.max(0, index - WORD_BEFORE_MAX), index)
  const word = before.slice(before.search(/\S*$/)).replace(/^[("'“‘[]+/, '')
  return /^\p{Lu}$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())
}
