// The width of text in terminal columns.

/** Combining marks, joiners, direction marks and the later parts of Korean syllables take no column. */
const NOTHING = /^(?![\u0600-\u0605\u06dd\u08e2])[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u
/** East Asian letters and emoji take two. */
const WIDE =
  /^(?![\u{1f1e6}-\u{1f1ff}])[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f9ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u
/** ASCII, Latin, punctuation, currencies, arrows, lines and check marks: visible, one column each, and they never join a neighbour. */
const SIMPLE =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2190-\u21ff\u2500-\u257f\u2713\u2717]*$/
/** Below the first combining mark everything takes one column, except the soft hyphen. */
const FIRST_MARK = '\u0300'

/** Whether the text needs no tables of Unicode, which take milliseconds to load. */
export const isSimple = (text: string): boolean => SIMPLE.test(text)

const widthOfOne = (character: string): number =>
  (character < FIRST_MARK && character !== '\u00ad') || isSimple(character)
    ? 1
    : NOTHING.test(character)
      ? 0
      : WIDE.test(character)
        ? 2
        : 1

export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += widthOfOne(character)
  return width
}

/** Truncates text to a width, with … */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let start = ''
  let left = width - 1
  for (const character of text) {
    left -= widthOfOne(character)
    if (left < 0) break
    start += character
  }
  return width > 0 ? `${start}…` : ''
}

/** Pads text with spaces to a width. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))
