// Joins the pieces of one line of a PDF in the order in which they are read.

export type PdfItem = {
  readonly str: string
  /** The last two numbers are the position from the lower left corner. */
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly hasEOL: boolean
}

/** Letters, without the digits of Arabic, which are read from left to right. */
const RIGHT_TO_LEFT = /[\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const LEFT_TO_RIGHT = /[\p{L}\p{N}]/u
/** Forms of letters for drawing, such as the ligature of lam and alef. */
const DRAWN_FORMS = /[\ufb50-\ufdfb\ufe70-\ufefc]+/g
const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '«': '»',
  '»': '«',
}
/** A gap of this share of the height of the letters is a space. */
const SPACE = 0.15

/**
 * Lines from left to right are stored in their order. Writers store the pieces of other lines in the order of drawing, so they are sorted
 * by position, and then read from the side where the line begins.
 */
export function joinLine(items: readonly PdfItem[]): string {
  const stored = items.map(({ str }) => str).join('')
  if (!RIGHT_TO_LEFT.test(stored)) return stored
  const drawn = items.filter(({ str }) => str.trim() !== '').sort((a, b) => leftOf(a) - leftOf(b))
  const read = beginsAtRight(drawn)
    ? reverseGroups(drawn, drawn.map(isLeftToRightAt)).reverse().map(inRightToLeft)
    : reverseGroups(
        drawn,
        drawn.map(({ str }) => RIGHT_TO_LEFT.test(str)),
      )
  return read
    .map((item, place) => spaceBetween(read[place - 1], item) + item.str)
    .join('')
    .replace(DRAWN_FORMS, (forms) => forms.normalize('NFKC'))
}

/** Counts words, because one address has more letters than the sentence around it. */
function beginsAtRight(items: readonly PdfItem[]): boolean {
  const words = items.flatMap(({ str }) => str.split(/\s+/)).filter((word) => /\p{L}/u.test(word))
  return 2 * words.filter((word) => RIGHT_TO_LEFT.test(word)).length >= words.length
}

const isLeftToRight = ({ str }: PdfItem): boolean => !RIGHT_TO_LEFT.test(str) && LEFT_TO_RIGHT.test(str)

/** Also a sign between two such pieces, as in a date. */
const isLeftToRightAt = (item: PdfItem, place: number, all: readonly PdfItem[]): boolean =>
  isLeftToRight(item) ||
  (/^[-/.:,]$/.test(item.str) &&
    [all[place - 1], all[place + 1]].every((beside) => beside !== undefined && isLeftToRight(beside)))

/** Punctuation is drawn to the left of the words that it ends, and brackets are drawn mirrored. */
function inRightToLeft(item: PdfItem): PdfItem {
  if (isLeftToRight(item)) return { ...item, str: item.str.replace(/^\s*([.,;:!?]+)(.*)$/s, '$2$1') }
  if (RIGHT_TO_LEFT.test(item.str)) return item
  return {
    ...item,
    str: [...item.str]
      .reverse()
      .map((sign) => MIRRORED[sign] ?? sign)
      .join(''),
  }
}

/** Reverses each sequence of pieces that are read in the other direction than the line. */
function reverseGroups(items: readonly PdfItem[], isOther: readonly boolean[]): PdfItem[] {
  const groups: PdfItem[][] = []
  for (const [place, item] of items.entries()) {
    const group = groups.at(-1)
    if (isOther[place] && isOther[place - 1] && group) group.unshift(item)
    else groups.push([item])
  }
  return groups.flat()
}

function spaceBetween(before: PdfItem | undefined, item: PdfItem): string {
  if (!before) return ''
  const [left, right] = leftOf(before) < leftOf(item) ? [before, item] : [item, before]
  return leftOf(right) - (leftOf(left) + left.width) > SPACE * Math.max(left.height, right.height) ? ' ' : ''
}

const leftOf = ({ transform }: PdfItem): number => transform[4] ?? 0
