// Escapes text for code hosts: text from others must not create mentions, references, links, images, HTML tags or commands.

const LINE_MAX = 2_000

/** A text as one line of Markdown without markup. */
export const escapeProse = (text: string): string =>
  breakReferences(
    toOneLine(text)
      .replaceAll(/[\\`*_{}[\]()<>#+!|~&$^]/g, (character) => `\\${character}`)
      // GitLab refers to merge requests, labels and more by these signs.
      .replaceAll(/[!$%&~](?=[\w"])/g, (sign) => `${sign}\u200b`)
      // GitLab executes lines such as "/merge".
      .replace(/^\//, '\\/'),
  )

/** As `escapeProse`, with the parts in backticks as inline code. */
export const formatProse = (text: string): string =>
  toOneLine(text)
    .split(CODE_SPAN)
    .map((piece, at) => (at % 2 === 1 ? formatCode(piece) : escapeProsePiece(piece, at === 0)))
    .join('')

const CODE_SPAN = /(?<!`)`(?!`)([^`]+)(?<!`)`(?!`)/

/** Keeps the spaces at the edges of the piece. A backtick that is left over must not join the fence of a span. */
function escapeProsePiece(piece: string, isFirst: boolean): string {
  const [, before = '', middle = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(piece) ?? []
  const escaped = isFirst ? escapeProse(middle) : escapeProse(`.${middle}`).slice(1)
  return `${before}${escaped.replaceAll('\\`', '&#96;')}${after}`
}

/**
 * Breaks mentions, references and addresses with zero-width spaces. Hosts look for them after rendering, when backslashes are
 * gone, and also in commit messages.
 */
export const breakReferences = (text: string): string =>
  text
    .replaceAll(/[@#]|\bGH-/gi, (sign) => `${sign}\u200b`)
    .replaceAll(/:\/\//g, ':\u200b//')
    .replaceAll(/\bwww\./gi, (www) => `${www.slice(0, 3)}\u200b.`)

/** Inline code, fenced with more backticks than the text contains in a row. */
export function formatCode(text: string): string {
  const line = toOneLine(text)
  const longest = longestRun(line)
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line || ' '}${fence}`
}

/** A block of code, fenced with more backticks than the text contains in a row. */
export function formatCodeBlock(text: string, info: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${info}\n${text}\n${fence}`
}

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))

/** One line of plain text for titles and annotations, which GitHub does not render as Markdown. */
export const toOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LINE_MAX)
