// Derives the title of a thread from its first question. Deterministic.
import { HTML_TAG, stripMarkdown } from '../../kernel/plain-markdown.ts'

const TITLE_CHARACTERS_MAX = 60
const PROMPT_CHARACTERS_READ = 2_000
const DEFAULT_TITLE = 'New conversation'

/** The first sentence without markup, shortened at a word boundary. */
export function titleOf(prompt: string): string {
  const start = prompt.slice(0, PROMPT_CHARACTERS_READ)
  // A question that contains only code gets its first line as title.
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
    // Invisible characters, and those that change the text direction.
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .replace(/[\p{Zl}\p{Zp}]/gu, '\n')

function firstLine(text: string): string | undefined {
  for (const line of text.split(/[\n\r]/)) {
    const words = line.replace(/[\p{Cc}\s]+/gu, ' ').trim()
    if (/[\p{L}\p{N}]/u.test(words)) return words
  }
  return undefined
}

/** A sentence ends at punctuation followed by a space, so file names and decimals stay intact. */
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
