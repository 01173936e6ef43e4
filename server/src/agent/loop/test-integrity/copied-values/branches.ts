// Reads the places where changed lines treat certain values differently: comparisons, tables and constant functions.
import { dropComments, joinKeys, keysOf, type Literal, readGroup, readLiterals } from './literals.ts'

export type Branch = {
  readonly line: string
  /** Keys of single values. */
  readonly compared: readonly string[]
  /** Lists, tuples and calls of constructors with several values. */
  readonly comparedGroups: readonly string[]
  /** The result or the action of the program then. */
  readonly outputs: readonly string[]
  readonly outputGroups: readonly string[]
  /** The result does not depend on the input. */
  readonly isConstant: boolean
  /** All comparisons must hold. */
  readonly isConjunction: boolean
}

/** An entry of a table: a value that stands for another. */
export type TableEntry = {
  readonly line: string
  readonly key: string
  /** The values of a key that is a tuple; null for other keys. */
  readonly group: string | null
  readonly values: readonly string[]
}

/** A function that gives a constant and does not use its parameters. */
export type ConstantFunction = {
  readonly line: string
  readonly name: string
  /** A value or a group. */
  readonly output: string
}

export type ProgramPlaces = {
  readonly branches: readonly Branch[]
  readonly entries: readonly TableEntry[]
  readonly constants: readonly ConstantFunction[]
}

const LINES_MAX = 4_000
const LINE_CHARACTERS = 1_000

/** Only lines that are not in the text before. */
export function readPlaces(path: string, before: string, after: string): ProgramPlaces {
  const known = new Set(before.split('\n').map((line) => line.trim()))
  const lines = dropComments(path, after)
    .split('\n')
    .slice(0, LINES_MAX)
    .map((line) => line.slice(0, LINE_CHARACTERS))
  const raw = after.split('\n')
  const added = lines.flatMap((line, at) =>
    line.trim() === '' || known.has((raw[at] ?? '').trim()) ? [] : [at],
  )
  return {
    branches: added.flatMap((at) => readBranch(lines, at) ?? []),
    entries: added.flatMap((at) => readEntries(lines[at] ?? '')),
    constants: added.flatMap((at) => readConstant(lines, at) ?? []),
  }
}

const EQUALS = String.raw`(?<![=!<>])={2,3}|\bis`
const LISTS = String.raw`\bcase\b(?:[^:>\n]{0,200},)?|\bin[ ]*[([{](?:[^)\]}\n]{0,200},)?`
const METHODS = String.raw`\.(?:equals|equalsIgnoreCase|has|includes|contains|compareTo|eq)\(`
const FUNCTIONS = String.raw`\b(?:DeepEqual|EqualFold|Equal|Objects\.equals|Object\.is|Arrays\.equals|isDeepStrictEqual)\([^\n]{0,120},`
/** The text before a value that a program compares with. */
const COMPARES_NEXT = new RegExp(`(?:${EQUALS}|${LISTS}|${METHODS}|${FUNCTIONS})[ ]*-?$`)
const DIFFERS_NEXT = /!==?[ ]*$/
/** The same for a list, a tuple or a call of a constructor. */
const COMPARES_GROUP = new RegExp(
  `(?:${EQUALS}|!==?|${METHODS}|${FUNCTIONS})[ ]*(?:new[ ]+)?[\\w.[\\]<>*]{0,80}$`,
)
/** The text around a value that is compared with what follows. */
const COMPARED_BEFORE = /^[ ]*(?:={2,3}|!==?|\.(?:equals|equalsIgnoreCase)\()/
const STARTS = /(?:^|[(,=?:{]|&&|\|\||\b(?:if|elif|return|and|or|not|when|case))[ \t]*-?$/
const ARITHMETIC = /^[ ]*(?:-(?!>)|[+*/%<>]|&[^&]|\|[^|])/
const MEMBERS = /[[({]([^()[\]{}\n]{1,400})[\])}]\)?\.(?:includes|contains|has|indexOf)\(/g

function readBranch(lines: readonly string[], at: number): Branch | null {
  const line = lines[at] ?? ''
  const groups = readGroups(line).filter(({ start }) => COMPARES_GROUP.test(line.slice(0, start)))
  const members = [...line.matchAll(MEMBERS)].map(({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
  }))
  const isInside = ({ start }: Literal, spans: readonly { start: number; end: number }[]) =>
    spans.some((span) => span.start < start && start < span.end)
  const compared = readLiterals(line).filter(
    (literal) => (isCompared(line, literal) || isInside(literal, members)) && !isInside(literal, groups),
  )
  if (compared.length + groups.length === 0) return readTupleBranch(lines, at)
  const last = Math.max(...[...compared, ...groups].map(({ end }) => end))
  const rest = [line.slice(last), ...readBody(lines, at)]
  const then = rest.flatMap(readOutputs)
  return {
    line: line.trim(),
    compared: compared.map(({ key }) => key),
    comparedGroups: [...groups.map(({ inner }) => inner), ...compared.flatMap(({ key }) => readText(key))],
    outputs: then.filter((output) => !isGroup(output)).map((output) => output.slice(0, -1)),
    outputGroups: then.filter(isGroup),
    isConstant: rest.every(isConstant),
    isConjunction: /&&|\band\b/.test(line) && !/\|\||\b(?:or|case|in[ ]*[([{])/.test(line),
  }
}

const CONDITION = /^\s*(?:if|elif|else if|\} else if)\b/
const NUMBERS = /^\s*return\s+[([]?\s*(-?\d+(?:\s*,\s*-?\d+)+)\s*[)\]]?;?\s*$/

/** A condition of any kind whose result is several numbers: `if len(b) == len(a)+1 { return 1, 0 }`. */
function readTupleBranch(lines: readonly string[], at: number): Branch | null {
  const line = lines[at] ?? ''
  if (!CONDITION.test(line)) return null
  const [result = '', ...others] = readBody(lines, at)
  const [, numbers] = NUMBERS.exec(result) ?? []
  if (numbers === undefined || others.length > 0) return null
  return {
    line: line.trim(),
    compared: [],
    comparedGroups: [],
    outputs: [],
    outputGroups: [joinKeys(readLiterals(numbers))],
    isConstant: true,
    isConjunction: false,
  }
}

function isCompared(line: string, { key, start, end }: Literal): boolean {
  const [before, after] = [line.slice(0, start), line.slice(end)]
  if (ARITHMETIC.test(after)) return false
  if (COMPARES_NEXT.test(before)) return true
  // A number that must not differ is a check, not a case.
  return (
    (DIFFERS_NEXT.test(before) && key.startsWith('"')) || (COMPARED_BEFORE.test(after) && STARTS.test(before))
  )
}

const OUTPUT = /(?:\breturn|=>|->|[?:]|(?<![=!<>])=(?!=))[ \t]*(?=\S)/g

/** Values and groups that are all of a result. */
const readOutputs = (text: string): string[] =>
  [...text.matchAll(OUTPUT)].flatMap(
    ({ 0: word, index }) => readOutput(text.slice(index + word.length)) ?? [],
  )

const isGroup = (output: string): boolean => keysOf(output).length > 1

const KEYWORD =
  /\b(?:return|true|false|null|None|nil|undefined|True|False|raise|throw|new|continue|break|pass|yield|await|else|then|if|end)\b/g
/** Calls, types, assigned names and names of fields. */
const NO_INPUT = /[\w.]{1,80}\s*(?=\()|[\w.[\]*]{1,80}(?=\s*\{)|[\w.[\] ]{1,80}(?=[-+]?=[^=>])|\w{1,80}\s*:/g

/** The right side of a comparison whose left side is a value. */
const OTHER_SIDE =
  /^\s*(?:\.equals(?:IgnoreCase)?\([^()\n]{0,200}\)|(?:[=!]==?)\s*[\w.$]{1,100}(?:\([^()\n]{0,100}\))?)/

/** Whether a text has no variables. */
function isConstant(text: string): boolean {
  // Of a conditional expression, the part after the colon is what was there before.
  const whole = text.replace(OTHER_SIDE, '')
  const part = /^[\s)]*\?/.test(whole) ? whole.replace(/\s:(?:\s[\s\S]*)?$/, '') : whole
  let code = part
  for (const { start, end } of readLiterals(part).toReversed())
    code = `${code.slice(0, start)} ${code.slice(end)}`
  return !/[A-Za-z_]/.test(code.replace(KEYWORD, ' ').replace(NO_INPUT, ' '))
}

/** The values in a list or an object that is compared as text. */
function readText(key: string): string[] {
  if (!/^"[[{]/.test(key)) return []
  const inner = joinKeys(readLiterals(key.slice(1).replaceAll('\\"', '"')))
  return inner === '' ? [] : [inner]
}

type Group = { readonly inner: string; readonly start: number; readonly end: number }

/** Outermost groups of at least two literals. */
function readGroups(line: string): Group[] {
  const found: Group[] = []
  for (const { index } of line.matchAll(/[([{]/g)) {
    if (found.some(({ start, end }) => start < index && index < end)) continue
    const group = readGroup(line, index)
    if (group !== null && group.inner.split(';').length > 2) found.push({ ...group, start: index })
  }
  return found
}

const BODY_LINES = 4
const indentOf = (line: string): number => line.length - line.trimStart().length

/** The indented lines that follow. */
function readBody(lines: readonly string[], at: number): string[] {
  const indent = indentOf(lines[at] ?? '')
  const body: string[] = []
  for (const line of lines.slice(at + 1, at + 1 + BODY_LINES)) {
    if (line.trim() === '' || indentOf(line) <= indent) break
    body.push(line)
    if (/^\s*(?:return|raise|throw|break|continue)\b/.test(line)) break
  }
  return body
}

const KEY_BEFORE = /(?:^\s*|[{,(]\s*)$/
const CALL_BEFORE = /\b(?:put|entry|set|Map\.of|of|Entry)\((?:[^\n]{0,400},\s*)?$/

/** `'a b': 1`, `['a b', 1]`, `put("a b", 1)`, `Map.of("a b", 1, "c d", 2)`. */
function readEntries(line: string): TableEntry[] {
  const literals = readLiterals(line)
  const tuples = readGroups(line).flatMap(({ inner, start, end }) => {
    const value = literals.find((each) => each.start >= end)
    const isKey = /^\s*:/.test(line.slice(end)) && KEY_BEFORE.test(line.slice(0, start))
    return isKey && value !== undefined
      ? [{ line: line.trim(), key: keysOf(inner)[0] ?? '', group: inner, values: [value.key] }]
      : []
  })
  return [...tuples, ...readSimpleEntries(line, literals)]
}

function readSimpleEntries(line: string, literals: readonly Literal[]): TableEntry[] {
  return literals.flatMap(({ key, start, end }, i) => {
    const next = literals[i + 1]
    if (next === undefined) return []
    const between = line.slice(end, next.start)
    const before = line.slice(0, start)
    const isKey = /^\s*(?::(?!:)|=>)/.test(between) && KEY_BEFORE.test(before)
    const isPair =
      /^\s*,/.test(between) &&
      ((/(?:^|[^\w)\]])\s*[[({]\s*$/.test(before) && (key.startsWith('"') || next.key.startsWith('"'))) ||
        CALL_BEFORE.test(before))
    if (!isKey && !isPair) return []
    const nextKey = literals.findIndex(
      (each, at) => at > i + 1 && /^\s*(?::(?!:)|=>)/.test(line.slice(each.end)),
    )
    const values = isKey ? literals.slice(i + 1, nextKey === -1 ? undefined : nextKey) : [next]
    return [{ line: line.trim(), key, group: null, values: values.map((value) => value.key) }]
  })
}

const ARROW_FUNCTION =
  /\b(?:const|let|var)\s+(\w+)[^=\n]{0,100}=\s*(?:async\s*)?\(([^()\n]{1,200})\)(?:\s*:\s*[^=\n]{1,80})?\s*=>\s*(?![{\s])/
const HEADER =
  /(?:\bdef\s+|\bfunc\s+(?:\([^()\n]{0,80}\)\s*)?|\bfunction\s*\*?\s*|^\s*|[\w>\]]\s+)(\w+)\s*(?:<[^<>\n]{0,80}>)?\(([^()\n]{1,300})\)[^;\n]{0,120}[{:]\s*$/
const NO_FUNCTION = /^(?:if|for|while|switch|catch|elif|with|match|return|else|case)$/

const INLINE_FUNCTION =
  /(\w+)\s*\(([^()\n]{1,200})\)[^(){}=;\n]{0,60}(?:\{|:)\s*return\b(?=[^;{}\n]{1,200}[;\s}]*$)/

function readConstant(lines: readonly string[], at: number): ConstantFunction | null {
  const line = lines[at] ?? ''
  const inline = ARROW_FUNCTION.exec(line) ?? INLINE_FUNCTION.exec(line)
  if (inline === null && !/^\s*return\b/.test(line)) return null
  const text =
    inline === null ? line.replace(/^\s*return\b/, '') : line.slice(inline.index + inline[0].length)
  const output = readOutput(text)
  if (output === null) return null
  if (inline === null) {
    const found = readFunction(lines, at)
    return found === null ? null : { line: line.trim(), name: found, output }
  }
  const [, name = '', list = ''] = inline
  const hasParameters = readParameters(list).length > 0 && !NO_FUNCTION.test(name)
  return hasParameters ? { line: line.trim(), name, output } : null
}

const ENDS = /^[ \t]*(?:$|[;:}),\]])/

/** The value or the group at the beginning of a text, if it stands alone. */
function readOutput(text: string): string | null {
  const value = text.trimStart().replace(/^-/, '')
  const [literal] = readLiterals(value)
  if (literal?.start === 0) return ENDS.test(value.slice(literal.end)) ? `${literal.key};` : null
  const at = value.search(/[([{]/)
  if (at === -1 || !/^(?:new )?[\w.[\]<>*]*$/.test(value.slice(0, at))) return null
  const group = readGroup(value, at)
  return group !== null && group.inner !== '' && ENDS.test(value.slice(group.end)) ? group.inner : null
}

const FUNCTION_LINES = 60

/** The name of the function that ends with this line, if its body does not use its parameters. */
function readFunction(lines: readonly string[], at: number): string | null {
  const indent = indentOf(lines[at] ?? '')
  let start = at - 1
  while (start >= 0 && at - start < FUNCTION_LINES) {
    const line = lines[start] ?? ''
    if (line.trim() !== '' && indentOf(line) < indent) break
    start--
  }
  const [, name = '', list = ''] = HEADER.exec(lines[start] ?? '') ?? []
  if (name === '' || NO_FUNCTION.test(name)) return null
  const names = readParameters(list)
  const body = lines.slice(start + 1, at + 1).join('\n')
  const isUsed = names.some((each) => new RegExp(`\\b${each}\\b`).test(body))
  return names.length === 0 || isUsed ? null : name
}

/** Names with an underscore are unused on purpose. */
function readParameters(list: string): string[] {
  return list.split(',').flatMap((part) => {
    const words = part.split(/[:=]/)[0]?.match(/[A-Za-z_]\w*/g) ?? []
    // Java has the type first, Go has it last, the others have it after a colon.
    return words.filter((word) => !/^(?:self|cls|this|ctx|final|const|_\w*|args|kwargs)$/.test(word))
  })
}
