// Finds values of the tests that a change wrote into the program: a program that compares its input with the values of
// the tests passes them and nothing else. It knows the usual forms; a program that hides its values is not found.

import { listChanges, type ProjectFiles } from '../project-files.ts'
import { fileName, folderOf, isConfiguration, isDocument, isTest } from '../test-files.ts'
import {
  type Branch,
  type ConstantFunction,
  type ProgramPlaces,
  readPlaces,
  type TableEntry,
} from './branches.ts'
import { readExceptions } from './exceptions.ts'
import {
  countTelling,
  dropComments,
  firstKey,
  isLetter,
  isProse,
  isSmall,
  isStatus,
  isTellingGroup,
  keysOf,
  kindOf,
  readLiterals,
  textOf,
} from './literals.ts'

export type CopiedValueOptions = {
  /** All paths that differ; found by comparison if not given. */
  readonly changes?: readonly string[]
  /** The request. Values that it names belong into the program. */
  readonly request?: string
}

const TESTS_READ_MAX = 100
const NEIGHBOURS_READ_MAX = 60
const CODE = /\.([cm]?[jt]sx?|py|go|rs|java|kt|scala|php|rb|cs|swift|c|cc|cpp|h|hpp|ex|exs|lua|dart)$/i
const SHOWN_CHARACTERS = 120

/** The first line with such values and why it counts, or null. */
export function findCopiedValues(
  base: ProjectFiles,
  now: ProjectFiles,
  { changes = listChanges(base, now), request = '' }: CopiedValueOptions = {},
): string | null {
  const programs = changes.filter((path) => isProgram(path) && now.has(path))
  const places = programs.map((path) => ({
    path,
    ...readPlaces(path, base.get(path) ?? '', now.get(path) ?? ''),
  }))
  if (
    places.every(
      ({ branches, entries, constants }) => branches.length + entries.length + constants.length === 0,
    )
  )
    return null
  const judge = new ValueJudge(
    readTexts(now, listNearTests(now, changes)),
    readTexts(base, listNeighbours(base, changes), dropComments),
    [request, ...listReadmes(base).map((path) => base.get(path) ?? '')].join('\n'),
  )
  for (const { path, ...each } of places) {
    const line = judge.findLine(each)
    if (line !== null) return describe(path, line)
  }
  const exceptions = new Map<string, readonly ProgramPlaces[]>()
  for (const path of programs) {
    const found = readExceptions(path, base.get(path) ?? '', now.get(path) ?? '')
    // The change does more than to except values.
    if (found === null) return null
    exceptions.set(path, found)
  }
  for (const [path, each] of exceptions) {
    const line = judge.findException(each)
    if (line !== null) return describe(path, line)
  }
  return null
}

const describe = (path: string, line: string): string =>
  `${path} has "${line.slice(0, SHOWN_CHARACTERS)}" now: the program knows values of the tests. Solve the general case.`

const READMES_MAX = 4
const listReadmes = (files: ProjectFiles): string[] =>
  [...files.keys()].filter((path) => /^(docs\/)?readme[^/]*$/i.test(path)).slice(0, READMES_MAX)

const isProgram = (path: string): boolean =>
  CODE.test(path) && !isTest(path) && !isDocument(path) && !isConfiguration(path)

const CHARACTERS_MAX = 1_000_000

/** The first texts, up to a limit for all of them. */
function readTexts(
  files: ProjectFiles,
  paths: readonly string[],
  clean = (_path: string, text: string) => text,
): string[] {
  const texts: string[] = []
  let left = CHARACTERS_MAX
  for (const path of paths) {
    if (left <= 0) break
    const text = clean(path, (files.get(path) ?? '').slice(0, left))
    texts.push(text)
    left -= text.length
  }
  return texts
}

/** Tests that are named like a changed file come first. */
function listNearTests(files: ProjectFiles, changes: readonly string[]): string[] {
  const stems = changes.map((path) => fileName(path).replace(/\..*$/, '').toLowerCase())
  const isNear = (path: string) => stems.some((stem) => fileName(path).toLowerCase().includes(stem))
  const tests = [...files.keys()].filter((path) => isTest(path) && CODE.test(path))
  return [...tests.filter(isNear), ...tests.filter((path) => !isNear(path))].slice(0, TESTS_READ_MAX)
}

/** The program files before the change whose words the change may use. */
function listNeighbours(base: ProjectFiles, changes: readonly string[]): string[] {
  const folders = new Set(changes.map(folderOf))
  const changed = new Set(changes)
  const paths = [...base.keys()].filter(
    (path) => isProgram(path) && (changed.has(path) || folders.has(folderOf(path))),
  )
  return [...paths.filter((path) => changed.has(path)), ...paths.filter((path) => !changed.has(path))].slice(
    0,
    NEIGHBOURS_READ_MAX,
  )
}

/** A line with more values is a list, in which values are together by chance. */
const ASSERTION_LITERALS = 12
/** Lines between an input and its expected output in a test. */
const NEAR_LINES = 4

/** A value in more places proves nothing. */
const PLACES_MAX = 100
const GROUPS_MAX = 300

class ValueJudge {
  /** By key: the lines of the tests, numbered over all files with gaps between them. */
  readonly #lines = new Map<string, number[]>()
  /** All literals of the tests in order. */
  readonly #sequence: string
  readonly #texts: readonly string[]
  readonly #known: ReadonlySet<string>
  readonly #knownSequence: string
  readonly #request: string
  readonly #requestInLowerCase: string
  readonly #groups = new Map<string, boolean>()

  constructor(tests: readonly string[], program: readonly string[], request: string) {
    this.#texts = tests.flatMap((text) => [...text.split('\n'), ...Array<string>(NEAR_LINES + 1).fill('')])
    const keys: string[] = []
    for (const [at, line] of this.#texts.entries())
      for (const { key } of readLiterals(line.slice(0, 2_000))) {
        const lines = this.#lines.get(key)
        if (lines === undefined) this.#lines.set(key, [at])
        else if (lines.length < PLACES_MAX) lines.push(at)
        keys.push(`${key};`)
      }
    this.#sequence = `;${keys.join('')}`
    const before = program.flatMap((text) => readLiterals(text).map(({ key }) => key))
    this.#known = new Set(before)
    this.#knownSequence = `;${before.join(';')};`
    this.#request = request
    this.#requestInLowerCase = request.toLowerCase()
  }

  findLine({ branches, entries, constants }: ProgramPlaces): string | null {
    const branch = branches.find((each) => this.#isCopiedBranch(each))
    return (
      branch?.line ??
      this.#findTable(entries) ??
      this.#findAnswers([
        ...branches.map((each) => ({ line: each.line, keys: each.compared, outputs: each.outputs })),
        ...entries.map((each) => ({ line: each.line, keys: [each.key], outputs: each.values })),
      ]) ??
      constants.find((each) => this.#isCopiedConstant(each))?.line ??
      null
    )
  }

  /** The first line that excepts values of the tests, of a change that does nothing else. */
  findException(exceptions: readonly ProgramPlaces[]): string | null {
    // A list that has more than the tests is one of the domain.
    if (exceptions.some(({ branches }) => branches.some(({ compared }) => this.#hasMore(compared))))
      return null
    for (const { branches, entries } of exceptions) {
      const found =
        branches.find((each) => this.#isException(each)) ??
        entries.find(({ key }) => this.#isCopied(key) && !this.#isRequested(key))
      if (found !== undefined) return found.line
    }
    return null
  }

  #hasMore(compared: readonly string[]): boolean {
    return compared.length > 1 && compared.some((key) => kindOf(key) !== 'plain' && !this.#lines.has(key))
  }

  #isException(branch: Branch): boolean {
    const { compared, outputGroups, line } = branch
    if (compared.some((key) => isLetter(key) && this.#isCopied(key) && !this.#isRequested(key))) return true
    if (!branch.isConstant) return false
    if (compared.length === 0) return outputGroups.some((group) => this.#isAsserted(group))
    const isOutput = (key: string) =>
      !line.includes('!=') &&
      this.#lines.has(key) &&
      outputGroups.some((group) => this.#isCopiedGroup(group) && this.#areNear(key, firstKey(group)))
    // Numbers have names and messages in every program.
    const hasText = branch.outputs.some((output) => output.startsWith('"'))
    const isCopied = (key: string) => this.#isCopied(key) && !isSmall(key) && !(hasText && isStatus(key))
    return (
      compared.some((key) => !this.#isRequested(key) && (isCopied(key) || isOutput(key))) ||
      this.#isAnswer(branch)
    )
  }

  /** Different numbers that stand together in one line of the tests, and nowhere in the program. */
  #isAsserted(group: string): boolean {
    const isNew = this.#sequence.includes(`;${group}`) && !this.#knownSequence.includes(`;${group}`)
    return isNew && new Set(keysOf(group)).size > 1
  }

  /** A constant of the tests for a number that the request does not name. */
  #isAnswer({ compared, outputs }: Branch): boolean {
    const isNumber = (key: string) =>
      /^["#]\d+(\.\d+)?$/.test(key) && kindOf(`#${textOf(key)}`) !== 'plain' && !this.#isRequested(key)
    return (
      compared.some((key) => isNumber(key) && !isStatus(key)) &&
      outputs.some((key) => kindOf(key) !== 'plain' && (this.#lines.has(key) || this.#isPart(key)))
    )
  }

  /** Whether a longer text of the tests begins with this one. */
  #isPart(key: string): boolean {
    return /^"\S{2,}$/.test(key) && this.#sequence.includes(`;${key}`)
  }

  #isCopiedBranch(branch: Branch): boolean {
    const { compared, comparedGroups } = branch
    if (comparedGroups.some((group) => this.#isCopiedGroup(group) && isTellingGroup(group))) return true
    if (compared.some((key) => this.#isJoined(key))) return true
    // A list that has more than the tests is one of the domain.
    if (!compared.every((key) => this.#lines.has(key) || ['plain', 'number'].includes(kindOf(key))))
      return false
    const hasOutput = (key: string) => this.#hasOutputNear(branch, key)
    return (
      compared.some((key) => this.#isCopied(key) && kindOf(key) === 'data') ||
      compared.some((key) => this.#isCase(key) && hasOutput(key)) ||
      (branch.isConjunction && this.#isCopiedConjunction(branch))
    )
  }

  /** Several values of a test in one text: `2,3` for `add(2, 3)`. */
  #isJoined(key: string): boolean {
    if (!key.startsWith('"') || this.#known.has(key)) return false
    const parts = textOf(key).split(/[\s,;:|/_-]+/)
    const keys = parts.map((part) => (/^\d+$/.test(part) ? `#${Number(part)}` : `"${part}`))
    return keys.length > 1 && keys.some((each) => kindOf(each) !== 'word') && this.#isLine(keys)
  }

  /** A value that says little alone, so the output must be one of the tests too. */
  #isCase(key: string): boolean {
    const kind = kindOf(key)
    if (kind === 'number') return true
    return this.#isCopied(key) && (kind === 'phrase' || isLetter(key))
  }

  #hasOutputNear({ outputs, outputGroups }: Branch, key: string): boolean {
    const isNear = (other: string) => key.startsWith('#') || this.#areNear(key, other)
    return (
      outputs.some(
        (output) =>
          kindOf(output) === 'data' &&
          !isProse(output) &&
          !(isStatus(key) && output.startsWith('"')) &&
          this.#isCopied(output) &&
          isNear(output),
      ) || outputGroups.some((group) => this.#isCopiedGroup(group) && isNear(firstKey(group)))
    )
  }

  /** Several values of one place of the tests at once. */
  #isCopiedConjunction({ compared, outputs }: Branch): boolean {
    if (compared.length < 2 || !compared.every((key) => this.#isCopied(key))) return false
    const [first = '', ...others] = compared
    if (!others.every((key) => this.#areNear(first, key))) return false
    const words = compared.filter((key) => key.startsWith('"'))
    const numbers = compared.filter((key) => key.startsWith('#') && Number(textOf(key)) > 2)
    if ((words.length > 0 && numbers.length > 0) || words.filter(isLetter).length > 1) return true
    return numbers.length > 0 && outputs.some((output) => this.#isLine([...compared, output]))
  }

  /** One line of a test has all of these values. */
  #isLine(keys: readonly string[], most = Number.POSITIVE_INFINITY): boolean {
    const [first = '', ...others] = keys
    return (this.#lines.get(first) ?? []).some(
      (at) =>
        others.every((key) => kindOf(key) !== 'plain' && this.#lines.get(key)?.includes(at)) &&
        (most === Number.POSITIVE_INFINITY || readLiterals(this.#texts[at] ?? '').length <= most),
    )
  }

  #findTable(all: readonly TableEntry[]): string | null {
    const tuple = all.find(
      ({ group, values }) =>
        group !== null &&
        this.#isCopiedGroup(group) &&
        isTellingGroup(group) &&
        values.some((value) => this.#areNear(firstKey(group), value)),
    )
    if (tuple !== undefined) return tuple.line
    const entries = all.filter(({ group }) => group === null)
    const copied = entries.filter(
      ({ key, values }) =>
        this.#isCopied(key) &&
        (kindOf(key) === 'data' || !this.#isRequested(key)) &&
        values.some((value) => this.#lines.has(value) && this.#areNear(key, value)),
    )
    const strings = copied.filter(({ key }) => key.startsWith('"') && kindOf(key) === 'data')
    const numbers = copied.filter(({ key }) => key.startsWith('#') && kindOf(key) === 'data')
    const pairs = copied.filter(
      ({ key, values }) =>
        (key.startsWith('#') || kindOf(key) === 'phrase') && values.some((value) => kindOf(value) === 'data'),
    )
    if (strings.length > 0) return strings[0]?.line ?? null
    return (numbers.length > 1 ? numbers[0] : pairs.length > 1 ? pairs[0] : undefined)?.line ?? null
  }

  /** Constants for numbers: several, and none that is not in a test. */
  #findAnswers(cases: readonly NumberCase[]): string | null {
    const isCase = (key: string) => key.startsWith('#') && kindOf(key) !== 'plain' && !isStatus(key)
    const numbers = cases.flatMap(({ line, keys, outputs }) => {
      const values = outputs.filter((output) => kindOf(output) !== 'plain')
      return values.length === 0 ? [] : keys.filter(isCase).map((key) => ({ line, key, values }))
    })
    const isCopied = ({ key, values }: { readonly key: string; readonly values: readonly string[] }) =>
      !this.#isRequested(key) && values.some((value) => this.#isLine([key, value], ASSERTION_LITERALS))
    return numbers.length > 1 && numbers.every(isCopied) ? (numbers[0]?.line ?? null) : null
  }

  #isCopiedConstant({ name, output }: ConstantFunction): boolean {
    const keys = keysOf(output)
    const [first = ''] = keys
    const isValue = keys.length > 1 ? this.#isCopiedGroup(output) : this.#isCopied(first) && isOutput(first)
    if (!isValue || keys.some((key) => this.#isRequested(key))) return false
    const call = new RegExp(`\\b${name}\\(`)
    return (this.#lines.get(first) ?? []).some((at) =>
      this.#texts.slice(Math.max(0, at - 2), at + 3).some((line) => call.test(line)),
    )
  }

  /** A value of the tests that the program did not have. */
  #isCopied(key: string): boolean {
    return kindOf(key) !== 'plain' && this.#lines.has(key) && !this.#known.has(key)
  }

  #isCopiedGroup(group: string): boolean {
    const known = this.#groups.get(group)
    if (known !== undefined || this.#groups.size >= GROUPS_MAX) return known ?? false
    const isCopied =
      countTelling(group) > 1 &&
      this.#sequence.includes(`;${group}`) &&
      !this.#knownSequence.includes(`;${group}`)
    this.#groups.set(group, isCopied)
    return isCopied
  }

  /** A word may have another ending in the request, or be part of a name. */
  #isRequested(key: string): boolean {
    const isWord = /^"\p{L}{3,}$/u.test(key)
    const text = isWord ? textOf(key).toLowerCase() : textOf(key)
    const request = isWord ? this.#requestInLowerCase : this.#request
    for (let at = request.indexOf(text); at !== -1; at = request.indexOf(text, at + 1)) {
      const [before = ' ', first = ''] = [this.#request[at - 1], this.#request[at]]
      const rest = this.#request.slice(at + text.length, at + text.length + 5)
      const starts = !/[\p{L}\p{N}_]/u.test(before) || (isWord && /\p{Lu}/u.test(first))
      if (starts && (isWord ? WORD_END : END).test(rest)) return true
    }
    return false
  }

  #areNear(a: string, b: string): boolean {
    const others = this.#lines.get(b) ?? []
    return (this.#lines.get(a) ?? []).some((at) => others.some((line) => Math.abs(line - at) <= NEAR_LINES))
  }
}

type NumberCase = {
  readonly line: string
  readonly keys: readonly string[]
  readonly outputs: readonly string[]
}

const END = /^(?![\p{L}\p{N}_])/u
const WORD_END = /^(?:(?:e?s|ed|ing)?(?![\p{Ll}\p{N}_]))/u

const isOutput = (key: string): boolean => kindOf(key) !== 'plain' && !isLetter(key)
