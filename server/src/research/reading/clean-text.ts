// Normalizes texts, so that pages that look the same have the same text, without invisible characters.

export const TEXT_MAX = 200_000
const LINE_MAX = 300
const WORD_MAX = 200

/** Characters that are read before cleaning: twice the limit leaves room for what cleaning removes. */
const RAW_MAX = 2 * TEXT_MAX

export type CleanText = { readonly text: string; readonly isCut: boolean }

/**
 * Normalizes letters, line ends and spaces, removes invisible characters, and cuts between words at `TEXT_MAX`. Keeps
 * the indentation of lines, because code and data depend on it.
 */
export function cleanText(raw: string): CleanText {
  const visible = removeInvisible(raw.slice(0, RAW_MAX)).normalize('NFC')
  const lines = visible.split('\n').map(cleanLine)
  const text = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()
  if (text.length <= TEXT_MAX) return { text, isCut: raw.length > RAW_MAX }
  return { text: cutBetweenWords(text), isCut: true }
}

/** A title or a name: one short line. */
export function toCleanLine(raw: string): string {
  const line = removeInvisible(raw.slice(0, 4 * LINE_MAX)).normalize('NFC')
  return line
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LINE_MAX)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}

/**
 * Removes characters that readers do not see but machines read: zero-width, direction, tag, filler and control
 * characters, variation selectors and private use areas.
 */
function removeInvisible(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
      .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Co}\ufff9-\ufffc]|[^\P{Cc}\n\t]/gu, '')
      .replaceAll(/[\p{Zs}\u2800]/gu, ' ')
      // No letter has more marks, and normalizing thousands of them is very slow.
      .replaceAll(/(\p{M}{8})\p{M}+/gu, '$1')
  )
}

function cleanLine(line: string): string {
  const indent = /^[ \t]{0,80}/.exec(line)?.[0].replaceAll('\t', '  ') ?? ''
  return (indent + line.trim().replaceAll(/[ \t]+/g, ' ')).trimEnd()
}

function cutBetweenWords(text: string): string {
  const cut = text.slice(0, TEXT_MAX)
  const end = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  // A text without spaces is cut anywhere, except inside a surrogate pair.
  return (end > TEXT_MAX - WORD_MAX ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, '')).trimEnd()
}
