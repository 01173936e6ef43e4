// Adapts new lines to the style of the file. A model makes the same mistakes in added lines as in quoted ones.
import {
  createIndentMapper,
  detectIndentStyle,
  type IndentPair,
  type IndentStyle,
  indentOf,
} from './indent.ts'
import { DOUBLE, SINGLE } from './line-keys.ts'
import type { MatchLevel } from './locate.ts'

export type RestyleRefusal = 'indent_unknown' | 'quotes_unknown'

export type RestyledLine = { line: string } | { reason: RestyleRefusal }

export type Restyle = (line: string) => RestyledLine

/** `pairs` are quoted lines with their matching file lines; `lines` is the whole file. */
export function createRestyler(
  level: MatchLevel,
  pairs: readonly { quoted: string; real: string }[],
  lines: readonly string[],
  path: string,
): Restyle {
  const indent = createIndenter(level, pairs, lines, path)
  const unquote = createQuoteFixer(level, pairs, lines)
  const hasStrayBlanks = pairs.some(({ quoted, real }) => /\s$/.test(quoted) && !/\s$/.test(real))
  return (line) => {
    if (line.trim() === '') return { line: hasStrayBlanks || level >= 3 ? '' : line }
    const fixed = unquote(hasStrayBlanks ? line.trimEnd() : line)
    if (fixed === undefined) return { reason: 'quotes_unknown' }
    const newIndent = indent(indentOf(fixed))
    return newIndent === undefined ? { reason: 'indent_unknown' } : { line: newIndent + fixed.trimStart() }
  }
}

/** Tabs are significant in these files. */
const TABS_MATTER = /(^|\/)(gnu)?makefile[^/]*$|\.(mk|tsv|go)$/i

function createIndenter(
  level: MatchLevel,
  pairs: readonly { quoted: string; real: string }[],
  lines: readonly string[],
  path: string,
): (indent: string) => string | undefined {
  const indents: IndentPair[] = pairs
    .filter(({ real }) => real.trim() !== '')
    .map(({ quoted, real }) => ({ quoted: indentOf(quoted), real: indentOf(real) }))
  // The quotation has the file's indentation. If all of it is at the margin, added lines may still differ.
  const isShown = indents.some(({ quoted }) => quoted !== '')
  if (level < 3 && (isShown || TABS_MATTER.test(path))) return (indent) => indent
  const style = detectIndentStyle(lines)
  const map = createIndentMapper(indents, style)
  return level >= 3 ? map : (indent) => (isForeign(indent, style.kind) ? map(indent) : indent)
}

const isForeign = (indent: string, kind: IndentStyle['kind']): boolean =>
  (kind === 'spaces' && indent.includes('\t')) || (kind === 'tabs' && indent.includes('  '))

/** Replaces typographic quotes that the model introduced, unless the file uses the same quotes. */
function createQuoteFixer(
  level: MatchLevel,
  pairs: readonly { quoted: string; real: string }[],
  lines: readonly string[],
): (line: string) => string | undefined {
  const hasBent = level >= 2 && pairs.some(({ quoted, real }) => isBent(quoted) && !isBent(real))
  if (!hasBent) return (line) => line
  const meant = new Set(lines.flatMap(bentIn))
  return (line) =>
    bentIn(line).some((quote) => meant.has(quote))
      ? undefined
      : line.replace(SINGLE, "'").replace(DOUBLE, '"')
}

const bentIn = (text: string): string[] => [...(text.match(SINGLE) ?? []), ...(text.match(DOUBLE) ?? [])]
const isBent = (text: string): boolean => bentIn(text).length > 0
