// The passages of a long page that matter for the plan. A model is paid by what it reads, and most of a page is about other
// things.
import type { Plan } from '../terms.ts'
import { inTurn } from './even-share.ts'
import { cutAtWord, isFirstHalf } from './lines.ts'
import { scoresOf, termsOf } from './words.ts'

const GAP = '\n\n[…]\n\n'
const PIECE_LEAST = 250
const PIECE_MOST = 900
/** Less room than this holds nothing worth reading. */
const ROOM_LEAST = 40
/** What the whole question weighs beside one of its parts. */
const QUESTION_WEIGHT = 0.4

/**
 * At most so many characters of a text, in its order, `[…]` standing for what was left out; the whole of it where it fits.
 * Each sub-question gets its share, and what is chosen is verbatim.
 */
export function passagesOf(
  text: string,
  plan: Plan,
  { charactersMax, question = '' }: { charactersMax: number; question?: string },
): string {
  return passagePicker(text, plan, question)(charactersMax)
}

/** Looks at the text once, and can then be asked for different lengths. */
export function passagePicker(text: string, plan: Plan, question: string): (charactersMax: number) => string {
  const whole = text.trim()
  let ranked: Ranked | undefined
  return (charactersMax) => {
    if (whole.length <= charactersMax) return whole
    ranked ??= rankedPieces(whole, plan, question)
    return picked(whole, ranked, charactersMax)
  }
}

type Piece = { readonly start: number; readonly end: number }
/** `orders`: for each sub-question the pieces that have to do with it, by their places, the best first. */
type Ranked = { readonly pieces: readonly Piece[]; readonly orders: readonly (readonly number[])[] }

function rankedPieces(text: string, plan: Plan, question: string): Ranked {
  const pieces = piecesOf(text)
  const asked = plan.subquestions.map((sub) => termsOf([sub.question, ...sub.queries].join(' ')))
  const scores = scoresOf(
    pieces.map(({ start, end }) => text.slice(start, end)),
    [...asked, termsOf(question)],
  )
  const general = scores.at(-1)
  const orders = asked.map((_, sub) => {
    const own = scores[sub]
    const scoreOf = (at: number) => (own?.[at] ?? 0) + QUESTION_WEIGHT * (general?.[at] ?? 0)
    const matching = pieces.map((_piece, at) => at).filter((at) => scoreOf(at) > 0)
    return matching.sort((one, other) => scoreOf(other) - scoreOf(one) || one - other)
  })
  const isUnrelated = orders.every((order) => order.length === 0)
  // A page that matches nothing is shown from its beginning: it may say the same in another language.
  return { pieces, orders: isUnrelated ? [pieces.map((_, at) => at)] : orders }
}

function picked(text: string, { pieces, orders }: Ranked, charactersMax: number): string {
  const chosen = new Set<number>()
  let left = charactersMax
  for (const at of inTurn(orders)) {
    if (left < ROOM_LEAST) break
    const { start, end } = pieces[at] ?? { start: 0, end: 0 }
    if (end - start + GAP.length > left) continue
    chosen.add(at)
    left -= end - start + GAP.length
  }
  if (chosen.size > 0) return joined(text, pieces, chosen)
  const { start = 0 } = pieces[orders.find((order) => order.length > 0)?.[0] ?? 0] ?? {}
  return cutAtWord(text.slice(start), charactersMax)
}

/** Neighbours as they stand in the text, the others with a mark between them. */
function joined(text: string, pieces: readonly Piece[], chosen: ReadonlySet<number>): string {
  const shown: string[] = []
  let from = -1
  pieces.forEach(({ start, end }, at) => {
    if (!chosen.has(at)) return
    if (from === -1) from = start
    if (chosen.has(at + 1)) return
    shown.push(text.slice(from, end).trim())
    from = -1
  })
  return shown.join(GAP)
}

/** Paragraphs; short ones together, a heading with what follows it, long ones in parts that end with a line or sentence. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let open: Piece | undefined
  for (const block of blocksOf(text)) {
    const isHeading = text[block.start] === '#'
    if (open && (isHeading || open.end - open.start >= PIECE_LEAST)) {
      pieces.push(...partsOf(text, open))
      open = undefined
    }
    open = { start: open?.start ?? block.start, end: block.end }
  }
  if (open) pieces.push(...partsOf(text, open))
  return pieces
}

function blocksOf(text: string): Piece[] {
  const blocks: Piece[] = []
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n\n', start)
    const end = found === -1 ? text.length : found
    if (end > start) blocks.push({ start, end })
    start = end + 2
  }
  return blocks
}

function partsOf(text: string, { start, end }: Piece): Piece[] {
  const parts: Piece[] = []
  let from = start
  while (end - from > PIECE_MOST) {
    const to = breakIn(text, from + PIECE_LEAST, from + PIECE_MOST)
    parts.push({ start: from, end: to })
    from = to
  }
  parts.push({ start: from, end })
  return parts
}

/** The last good place to break between two others: a line, a sentence, a word, and if need be between two letters. */
function breakIn(text: string, least: number, most: number): number {
  const range = text.slice(least, most)
  for (const mark of ['\n', '. ', '。', ' ']) {
    const at = range.lastIndexOf(mark)
    if (at !== -1) return least + at + mark.length
  }
  return isFirstHalf(text, most - 1) ? most - 1 : most
}
