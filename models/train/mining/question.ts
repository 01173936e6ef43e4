// Derives a search question from the first sentence of a documentation comment.

/** Null if the sentence is not usable: too few words, another alphabet, a licence, a note for tools. */
export function questionFrom(documentation: string, name: string): string | null {
  const lines = documentation.split('\n').map((line) => line.replace(/^\s*(?:\*|\/\/)? ?/, '').trimEnd())
  const sentence = firstSentence(lines.join('\n'))
  const text = withoutName(withoutMarks(sentence), name)
  const words = text.split(' ').filter((word) => /[A-Za-z]{2}/.test(word))
  if (words.length < WORDS_MIN || text.length > CHARACTERS_MAX || NOT_ENGLISH.test(text)) return null
  return NO_QUESTION.test(text) ? null : text
}

const WORDS_MIN = 4
const CHARACTERS_MAX = 240
const NOT_ENGLISH = /[^\x20-\x7e‘’“”–—…]/
const NO_QUESTION =
  /copyright|licen[cs]e|deprecated|eslint|istanbul|@(?:internal|private)|inheritdoc|^(?:see|note|example|usage)\b|auto-?generated|DO NOT/i

/** Up to a full stop before a space, an empty line, or a tag for tools. */
function firstSentence(text: string): string {
  const prose =
    text.trimStart().split(/\n\s*\n|\n\s*(?:@|:param|>>>|```|Args:|Parameters\b|Returns?:|---)/)[0] ?? ''
  if (prose.startsWith('@')) return /^@(?:description|summary|desc)\s+([^@]+)/.exec(prose)?.[1] ?? ''
  const flat = prose.replace(/\s+/g, ' ')
  const end = /(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?](?= |$)/.exec(flat)
  return end ? flat.slice(0, end.index) : flat
}

const withoutMarks = (text: string): string =>
  text
    .replace(/\{@\w+\s+([^}]*)\}/g, '$1')
    .replace(/<\/?[A-Za-z][^>]*>/g, ' ')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/:\w+:`([^`]*)`/g, '$1')
    .replace(/https?:\S+/g, ' ')
    .replace(/[`*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** «Foo returns the…» would reveal the answer. */
function withoutName(text: string, name: string): string {
  const [first = '', ...rest] = text.split(' ')
  return name !== '' && first.replace(/[^\w]/g, '') === name ? rest.join(' ') : text
}
