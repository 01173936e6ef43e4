// Escapes text for GitHub: text from others must not create mentions, references, links, images or HTML tags.

const LINE_MAX = 2_000

/** A text as one line of Markdown without markup. */
export const escapeProse = (text: string): string =>
  breakReferences(toOneLine(text).replaceAll(/[\\`*_{}[\]()<>#+!|~&$^]/g, (character) => `\\${character}`))

/**
 * Breaks mentions, references and addresses with zero-width spaces. GitHub looks for them after rendering, when backslashes are
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
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line || ' '}${fence}`
}

/** One line of plain text for titles and annotations, which GitHub does not render as Markdown. */
export const toOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LINE_MAX)
