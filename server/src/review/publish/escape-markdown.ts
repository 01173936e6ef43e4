// Words of ours and names of theirs as Markdown that says just that: no mention rings anybody, no link leads anywhere, no picture
// is loaded, no tag is one.

const LINE_MAX = 2_000

/** A text as prose of one line. */
export function escapeProse(text: string): string {
  return (
    toOneLine(text)
      .replaceAll(/[\\`*_{}[\]()<>#+!|~&$^]/g, (character) => `\\${character}`)
      // References are looked for in what is shown, where no backslash is left: only what stands between breaks them.
      .replaceAll(/[@#]|\bGH-/gi, (sign) => `${sign}\u200b`)
      .replaceAll(/:\/\//g, ':\u200b//')
      .replaceAll(/\bwww\./gi, (www) => `${www.slice(0, 3)}\u200b.`)
  )
}

/** A name or an expression as code, between more backticks than it has in a row. */
export function formatCode(text: string): string {
  const line = toOneLine(text)
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line || ' '}${fence}`
}

/** Plain text for where Markdown is not read: titles and annotations. */
export const toOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LINE_MAX)
