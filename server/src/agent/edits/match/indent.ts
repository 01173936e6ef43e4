// How deep a new line belongs when the model indented what it quoted in another way than the file does. Only what the
// quoted lines show is used; a depth that they do not tell is not guessed.

/** The indentation of one quoted line: as the model wrote it, and as it is in the file. */
export type IndentPair = { quoted: string; real: string }

export type IndentStyle = {
  /** What the file indents with; undefined when it does not, or with both. */
  kind: 'tabs' | 'spaces' | undefined
  /** How many spaces make a step, when most steps agree. */
  unit: number | undefined
}

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''

/** The indentation that `indent` stands for, or undefined when it cannot be told. */
export type IndentMapper = (indent: string) => string | undefined

export function createIndentMapper(pairs: readonly IndentPair[], style: IndentStyle): IndentMapper {
  const ways = [
    shiftRight(pairs),
    shiftLeft(pairs),
    tabsToSpaces(pairs, style),
    spacesToTabs(pairs),
    scaleSpaces(pairs),
  ]
  // Undefined where the same indentation stands for two.
  const shown = new Map<string, string | undefined>()
  for (const { quoted, real } of pairs)
    shown.set(quoted, shown.has(quoted) && shown.get(quoted) !== real ? undefined : real)
  return (indent) => {
    if (shown.has(indent)) return shown.get(indent)
    return ways.map((way) => way?.(indent)).find((each) => each !== undefined && isInStyle(each, style))
  }
}

/** What a file indents with, by its own lines. */
export function detectIndentStyle(lines: readonly string[]): IndentStyle {
  const indents = lines.filter((line) => /\S/.test(line) && !/^\s*\*/.test(line)).map(indentOf)
  const hasTabs = indents.some((indent) => indent.includes('\t'))
  const hasSpaces = indents.some((indent) => indent.includes('  '))
  const kind = hasTabs === hasSpaces ? undefined : hasTabs ? 'tabs' : 'spaces'
  return { kind, unit: kind === 'spaces' ? detectUnit(indents) : undefined }
}

/** The commonest step inwards, if it is that of most. */
function detectUnit(indents: readonly string[]): number | undefined {
  const steps = indents.flatMap((indent, i) => {
    const step = indent.length - (indents[i - 1]?.length ?? 0)
    return step > 0 ? [step] : []
  })
  const counts = Map.groupBy(steps, (step) => step)
  const [unit, same] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? [0, []]
  return same.length * 3 >= steps.length * 2 && unit > 1 ? unit : undefined
}

const isInStyle = (indent: string, { kind }: IndentStyle): boolean =>
  kind === undefined || (kind === 'spaces' ? !indent.includes('\t') : !indent.includes('  '))

/** The quotation was moved to the left as a whole. */
function shiftRight(pairs: readonly IndentPair[]): IndentMapper | undefined {
  const [first] = pairs
  if (!first?.real.endsWith(first.quoted)) return undefined
  const prefix = first.real.slice(0, first.real.length - first.quoted.length)
  const isUniform = pairs.every(({ quoted, real }) => real === prefix + quoted)
  return isUniform ? (indent) => prefix + indent : undefined
}

/** The quotation was moved to the right as a whole. */
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

/** Tabs were written where the file has spaces: each is worth the same number of them. */
function tabsToSpaces(pairs: readonly IndentPair[], style: IndentStyle): IndentMapper | undefined {
  if (pairs.some(({ real }) => real.includes('\t'))) return undefined
  const worths = [2, 4, 3, 8, 1, 5, 6, 7].filter((worth) =>
    pairs.every(({ quoted, real }) => widthOf(quoted, worth) === real.length),
  )
  const worth = worths.length === 1 ? worths[0] : worths.find((each) => each === style.unit)
  return worth === undefined ? undefined : (indent) => ' '.repeat(widthOf(indent, worth))
}

/** Spaces were written where the file has tabs; what is left over is alignment. */
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

/** The same character in steps of another size, which two depths show. */
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
