// Marks that are exact but for their nonce: an old one, none at all, or the letter that stands for it in the rules. They
// count only where no file could have brought them into the answer, and where nothing about them is doubtful.
import { MARK_LINE_CHARS_MAX, type MarkFinder, type MarkWord } from './marks.ts'

/** A finder for the marks of such an answer; undefined if it has none. `texts` are all that the model may have read. */
export function createOtherMarkFinder(
  lines: readonly string[],
  texts: Iterable<string>,
): MarkFinder | undefined {
  const marks = lines.flatMap((line) => parseExactMark(line) ?? [])
  const words = new Set(marks.map(({ word }) => word))
  const isAnswer = words.has('FILE') && (words.has('PLAN') || words.has('SUMMARY'))
  const [nonce, ...others] = new Set(marks.map((mark) => mark.nonce))
  if (!isAnswer || nonce === undefined || others.length > 0) return undefined
  for (const text of texts) if (text.includes('[[') && ANYWHERE.test(text)) return undefined
  return (line) => {
    const mark = parseExactMark(line)
    return mark?.nonce === nonce ? { before: '', mark, after: '', isAlone: true, isListed: false } : undefined
  }
}

const EXACT =
  /^\[\[(?:([0-9a-f]{8}|N|nonce|NONCE) )?(PLAN|FIND|WITH|BODY|END|SUMMARY|FILE (?:update|create|delete) .+)\]\]:?$/
const ANYWHERE = /\[\[(?:\w{1,16} )?(?:PLAN|FILE|FIND|WITH|BODY|END|SUMMARY)\b/i

function parseExactMark(line: string): { nonce: string; word: MarkWord; about: string } | undefined {
  if (!line.startsWith('[[') || line.length > MARK_LINE_CHARS_MAX) return undefined
  const [all, nonce = '', words = ''] = EXACT.exec(line.trimEnd()) ?? []
  if (all === undefined) return undefined
  const [word = ''] = words.split(' ')
  return { nonce, word: word as MarkWord, about: words.slice(word.length).trim() }
}
