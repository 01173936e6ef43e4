// A name for a thread, from its first question: the same question always has the same one.
import { HTML_TAG, stripMarkdown } from '../../kernel/plain-markdown.ts'

const TITLE_CHARACTERS_MAX = 60
const PROMPT_CHARACTERS_READ = 2_000
const DEFAULT_TITLE = 'New conversation'

/** The first sentence without markup, cut at a word where it is long. */
export function titleOf(prompt: string): string {
  const start = prompt.slice(0, PROMPT_CHARACTERS_READ)
  // A question that is nothing but code is named after its first line.
  const line = firstLine(plain(withoutCode(start))) ?? firstLine(plain(withoutFences(start))) ?? DEFAULT_TITLE
  return shorten(firstSentence(line))
}

const withoutCode = (text: string): string => text.replace(/```.*?(```|$)/gs, '\n')
const withoutFences = (text: string): string => text.replace(/^\s*```.*$/gm, '')

const plain = (text: string): string =>
  text
    .replace(HTML_TAG, '')
    .replace(/!?\[([^[\]\n]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/^[\t >]*(?:(?:#{1,6}|[-*+])[ \t]+)*/gm, '')
    .split('\n')
    .map(stripMarkdown)
    .join('\n')
    // What hides, or turns the reading of others round.
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .replace(/[\p{Zl}\p{Zp}]/gu, '\n')

function firstLine(text: string): string | undefined {
  for (const line of text.split(/[\n\r]/)) {
    const words = line.replace(/[\p{Cc}\s]+/gu, ' ').trim()
    if (/[\p{L}\p{N}]/u.test(words)) return words
  }
  return undefined
}

/** Ends at a mark that is followed by a space, so that names of files and numbers stay whole. */
const firstSentence = (line: string): string => /^.{8,}?[.!?؟።。](?=\s)/u.exec(line)?.[0] ?? line

function shorten(text: string): string {
  const bare = text.replace(/[.:;,。።]+$/u, '')
  const characters = [...bare]
  if (characters.length <= TITLE_CHARACTERS_MAX) return bare
  const cut = characters.slice(0, TITLE_CHARACTERS_MAX)
  const lastSpace = cut.lastIndexOf(' ')
  const end = lastSpace > TITLE_CHARACTERS_MAX / 2 ? lastSpace : TITLE_CHARACTERS_MAX - 1
  return `${cut.slice(0, end).join('').trimEnd()}…`
}
