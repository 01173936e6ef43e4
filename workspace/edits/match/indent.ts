// Maps the indentation that a model used in its quotation to that of the file. Only what the quoted lines prove is
// used; unknown depths are not guessed.

/** The indentation of one quoted line: as the model wrote it, and as the file has it. */
export type IndentPair = { quoted: string; real: string }

export type IndentStyle = {
  /** Undefined when the file has no indentation, or mixes both. */
  kind: 'tabs' | 'spaces' | undefined
  /** Spaces per level, if most steps agree. */
  unit: number | undefined
}

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''

/** Returns the file's indentation for `indent`, or undefined when unknown. */
export type IndentMapper = (indent: string) => string | undefined

export function createIndentMapper(pairs: readonly IndentPair[], style: IndentStyle): IndentMapper {
  const ways = [
    shiftRight(pairs),
    shiftLeft(pairs),
    tabsToSpaces(pairs, style),
    spacesToTabs(pairs),
    scaleSpaces(pairs),
  ]
  // Undefined if the same indentation maps to two values.
  const shown = new Map<string, string | undefined>()
  for (const { quoted, real } of pairs)
    shown.set(quoted, shown.has(quoted) && shown.get(quoted) !== real ? undefined : real)
  return (indent) => {
    if (shown.has(indent)) return shown.get(indent)
    return ways.map((way) => way?.(indent)).find((each) => each !== undefined && isInStyle(each, style))
  }
}

/** Detects the indentation of a file from its lines. */
export function detectIndentStyle(lines: readonly string[]): IndentStyle {
  const indents = lines.filter((line) => /\S/.test(line) && !/^\s*\*/.test(line)).map(indentOf)
  const hasTabs = indents.some((indent) => indent.includes('\t'))
  const hasSpaces = indents.some((indent) => indent.includes('  '))
  const kind = hasTabs === hasSpaces ? undefined : hasTabs ? 'tabs' : 'spaces'
  return { kind, unit: kind === 'spaces' ? detectUnit(indents) : undefined }
}

/** The most common step, if at least two thirds agree. */
function detectUnit(indents: readonly string[]): number | undefined {
  const steps = indents.flatMap((indent, i) => {
    const step = indent.length - (indents[i - 1]?.length ?? 0)
    return step > 0 ? [step] : []
  })
  const counts = new Map<number, number>()
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1)
  const [unit, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0, 0]
  return count * 3 >= steps.length * 2 && unit > 1 ? unit : undefined
}

const isInStyle = (indent: string, { kind }: IndentStyle): boolean =>
  kind === undefined || (kind === 'spaces' ? !indent.includes('\t') : !indent.includes('  '))

/** The model shifted the whole quotation to the left. */
function shiftRight(pairs: readonly IndentPair[]): IndentMapper | undefined {
  const [first] = pairs
  if (!first?.real.endsWith(first.quoted)) return undefined
  const prefix = first.real.slice(0, first.real.length - first.quoted.length)
  const isUniform = pairs.every(({ quoted, real }) => real === prefix + quoted)
  return isUniform ? (indent) => prefix + indent : undefined
}

/** The model shifted the whole quotation to the right. */
function shiftLeft(pairs: readonly IndentPair[]): IndentMapper | undefined {
  const [first] = pairs
  if (!first?.quoted.endsWith(first.real) || distinct(pairs) < 2) return undefined
  const prefix = first.quoted.slice(0, first.quoted.length - first.real.length)
  const isUniform = pairs.every(({ quoted, real }) => quoted === prefix + real)
  return isUniform
    ? (indent) => (indent.startsWith(prefix) ? indent.slice(prefix.length) : undefined)
    : undefined
}

const distinct = (pairs: readonly IndentPair[]): number => new Set(pairs.map(({ quoted }) => quoted)).size

/** The model wrote tabs where the file has spaces. Every tab has the same width. */
function tabsToSpaces(pairs: readonly IndentPair[], style: IndentStyle): IndentMapper | undefined {
  if (pairs.some(({ real }) => real.includes('\t'))) return undefined
  const worths = [2, 4, 3, 8, 1, 5, 6, 7].filter((worth) =>
    pairs.every(({ quoted, real }) => widthOf(quoted, worth) === real.length),
  )
  const worth = worths.length === 1 ? worths[0] : worths.find((each) => each === style.unit)
  return worth === undefined ? undefined : (indent) => ' '.repeat(widthOf(indent, worth))
}

/** The model wrote spaces where the file has tabs. The remainder is alignment. */
function spacesToTabs(pairs: readonly IndentPair[]): IndentMapper | undefined {
  if (pairs.some(({ quoted }) => quoted.includes('\t'))) return undefined
  const worths = [2, 4, 3, 8].filter((worth) =>
    pairs.every(({ quoted, real }) => widthOf(real, worth) === quoted.length),
  )
  const [worth] = worths
  if (worths.length !== 1 || worth === undefined) return undefined
  return (indent) =>
    indent.includes('\t')
      ? undefined
      : '\t'.repeat(Math.floor(indent.length / worth)) + ' '.repeat(indent.length % worth)
}

const widthOf = (indent: string, tabWorth: number): number => {
  const tabs = indent.split('\t').length - 1
  return tabs * tabWorth + indent.length - tabs
}

/** The model used another step size. Two depths are needed to know the ratio. */
function scaleSpaces(pairs: readonly IndentPair[]): IndentMapper | undefined {
  const isSpaces = pairs.every(({ quoted, real }) => !`${quoted}${real}`.includes('\t'))
  const points = [...new Map(pairs.map(({ quoted, real }) => [quoted.length, real.length]))].sort(
    (a, b) => a[0] - b[0],
  )
  const [first, last] = [points[0], points.at(-1)]
  if (!isSpaces || !first || !last || points.length < 2) return undefined
  const rise = (last[1] - first[1]) / (last[0] - first[0])
  const depthOf = (length: number) => first[1] + rise * (length - first[0])
  if (rise <= 0 || pairs.some(({ quoted, real }) => depthOf(quoted.length) !== real.length)) return undefined
  return (indent) => {
    const depth = depthOf(indent.length)
    return Number.isInteger(depth) && depth >= 0 && !indent.includes('\t') ? ' '.repeat(depth) : undefined
  }
}
