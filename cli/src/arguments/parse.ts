// Parses the command line into a command, its arguments and its options.
import { parseArgs } from 'node:util'
import type { Command, Option, Values } from '../command.ts'
import { UsageError } from '../errors.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'

export type ParsedLine =
  /** `below` lists the commands that start with these words. Without either, the help lists all commands. */
  | { readonly kind: 'help'; readonly command: Command | null; readonly below: readonly Command[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly given: string[]; readonly values: Values }

const GLOBALS: Readonly<Record<string, Option>> = GLOBAL_OPTIONS

/** `usual` is the command of a line that names none. */
export function parseLine(
  args: readonly string[],
  commands: readonly Command[],
  usual?: Command,
): ParsedLine {
  const words = leadingWords(args)
  const [first] = words
  const asksForHelp = args.slice(0, endOfOptions(args)).some((arg) => arg === '--help' || arg === '-h')
  if (first?.word === 'help') {
    return helpFor(
      words.slice(1).map(({ word }) => word),
      commands,
    )
  }
  if (!first) {
    if (asksForHelp || (args.length === 0 && !usual)) return helpFor([], commands)
    if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) return { kind: 'version' }
    const { values, positionals } = parse(args, usual?.options ?? {})
    if (!usual) throw new UsageError('No command given.')
    checkArguments(usual, positionals)
    return { kind: 'run', command: usual, given: positionals, values }
  }
  const written = words.map(({ word }) => word)
  if (asksForHelp) return helpFor(written, commands)
  const command = findCommand(written, commands)

  const named = new Set(words.slice(0, command.name.split(' ').length).map(({ index }) => index))
  const rest = args.filter((_, index) => !named.has(index))
  const { values, positionals } = parse(rest, command.options ?? {}, command.name)
  checkArguments(command, positionals)
  return { kind: 'run', command, given: positionals, values }
}

/** Help for one command, or for a group such as `auth`. */
function helpFor(words: readonly string[], commands: readonly Command[]): ParsedLine {
  const [first] = words
  if (first === undefined) return { kind: 'help', command: null, below: [] }
  const group = words.length === 1 ? subcommandsOf(first, commands) : []
  if (group.length > 0 && !commands.some(({ name }) => name === first))
    return { kind: 'help', command: null, below: group }
  const command = findCommand(words, commands)
  return { kind: 'help', command, below: subcommandsOf(command.name, commands) }
}

const subcommandsOf = (name: string, commands: readonly Command[]): Command[] =>
  commands.filter((each) => !each.hidden && each.name.startsWith(`${name} `))

type Word = { word: string; index: number }

/** The words before the first option that only a command defines. They contain the command. */
function leadingWords(args: readonly string[]): Word[] {
  const words: Word[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-') || arg === '-') {
      words.push({ word: arg, index })
      continue
    }
    const option = globalOf(arg)
    if (!option) break
    if (option.type === 'string' && !arg.includes('=')) index++
  }
  return words
}

function globalOf(arg: string): Option | undefined {
  const [, long] = /^--([^=]+)/.exec(arg) ?? []
  if (long !== undefined) return Object.hasOwn(GLOBALS, long) ? GLOBALS[long] : undefined
  return Object.values(GLOBALS).find(({ short }) => short !== undefined && arg === `-${short}`)
}

const endOfOptions = (args: readonly string[]): number => {
  const end = args.indexOf('--')
  return end < 0 ? args.length : end
}

function parse(
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
  name?: string,
): { values: Values; positionals: string[] } {
  // The parser takes a millisecond to load.
  if (args.length === 0) return { values: {}, positionals: [] }
  try {
    return parseArgs({
      args: [...args],
      options: { ...GLOBALS, ...options },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [, option] = /^Unknown option '([^']+)'/.exec(error.message) ?? []
    if (option && name) throw new UsageError(`"cowrie ${name}" has no option ${option}.`, name)
    if (option) throw new UsageError(`Unknown option ${option}.`)
    // The parser's advice about arguments that start with a dash does not apply here.
    throw new UsageError(error.message.split('\n')[0] ?? error.message, name)
  }
}

/** The command with the longest matching name. */
function findCommand(words: readonly string[], commands: readonly Command[]): Command {
  const fitting = commands.filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  const [longest] = fitting.sort((a, b) => b.name.length - a.name.length)
  if (!longest) throw new UsageError(`Unknown command "${words[0]}"${suggestion(words, commands)}`)
  return longest
}

/** The commands of this group, or similar command names. */
function suggestion(words: readonly string[], commands: readonly Command[]): string {
  const [word = '', next = ''] = words
  const shown = commands.filter(({ hidden }) => !hidden).map(({ name }) => name)
  const below = shown.filter((name) => name.startsWith(`${word} `))
  if (below.length > 0) {
    const near = below.filter((name) => next !== '' && distance(name.slice(word.length + 1), next) <= 2)
    return near.length > 0
      ? ` with "${next}".${didYouMean(near)}`
      : ` alone. Use one of: ${below.join(', ')}.`
  }
  // "login" or "topup" alone means the command with that last word.
  const ending = shown.filter((name) => name.endsWith(` ${word}`))
  if (ending.length > 0) return `.${didYouMean(ending)}`
  const near = shown.filter((name) => isSimilar(name, words.slice(0, name.split(' ').length).join(' ')))
  if (near.length > 0) return `.${didYouMean(near)}`
  const firsts = new Set(shown.map((name) => name.split(' ')[0] ?? ''))
  return `.${didYouMean([...firsts].filter((first) => isSimilar(first, word)))}`
}

const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`

/** Short words allow fewer differences. */
const isSimilar = (name: string, word: string): boolean => distance(name, word) <= (word.length < 4 ? 1 : 2)

/** The edit distance of two words. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    row = next
  }
  return row[b.length] ?? 3
}

function checkArguments({ name, usage = '', args: { min, max } }: Command, given: readonly string[]): void {
  if (given.length < min) throw new UsageError(`"cowrie ${name}" needs ${usage}.`, name)
  if (given.length > max) throw new UsageError(`Unexpected argument "${given[max]}".`, name)
}
