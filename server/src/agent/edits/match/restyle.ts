// New lines in the manner of the file they go into. What a model got wrong in the lines it quoted, it got wrong in the
// same way in the lines it added.

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

/** `pairs` are quoted lines with the lines of the file that they stand for; `lines` is all of the file. */
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
    const mended = unquote(hasStrayBlanks ? line.trimEnd() : line)
    if (mended === undefined) return { reason: 'quotes_unknown' }
    const deep = indent(indentOf(mended))
    return deep === undefined ? { reason: 'indent_unknown' } : { line: deep + mended.trimStart() }
  }
}

/** In these a tab means something, whatever the other lines begin with. */
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
  // What was quoted is indented as the file is. Only where all of it stands at the margin may the rest still differ.
  const isShown = indents.some(({ quoted }) => quoted !== '')
  if (level < 3 && (isShown || TABS_MATTER.test(path))) return (indent) => indent
  const style = detectIndentStyle(lines)
  const map = createIndentMapper(indents, style)
  return level >= 3 ? map : (indent) => (isForeign(indent, style.kind) ? map(indent) : indent)
}

const isForeign = (indent: string, kind: IndentStyle['kind']): boolean =>
  (kind === 'spaces' && indent.includes('\t')) || (kind === 'tabs' && indent.includes('  '))

/** Straightens quotes that the model bent in what it quoted, unless the file has the same bent ones somewhere. */
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
