// From the words of a line to a command, its arguments and its options.
import { parseArgs } from 'node:util'
import type { Command, Option, Values } from './command.ts'
import { GLOBAL_OPTIONS } from './help.ts'
import { UsageError } from './wrong.ts'

export type Wanted =
  | { readonly kind: 'help'; readonly command: Command | null }
  | { readonly kind: 'run'; readonly command: Command; readonly given: string[]; readonly values: Values }

const GLOBALS: Readonly<Record<string, Option>> = GLOBAL_OPTIONS

export function parseLine(args: readonly string[], commands: readonly Command[]): Wanted {
  const words = leadingWords(args)
  const [first] = words
  const asksForHelp = args.slice(0, endOfOptions(args)).some((arg) => arg === '--help' || arg === '-h')
  if (first?.word === 'help') {
    const rest = words.slice(1).map(({ word }) => word)
    return { kind: 'help', command: rest.length > 0 ? find(rest, commands) : null }
  }
  if (!first) {
    if (asksForHelp) return { kind: 'help', command: null }
    parse(args, {})
    throw new UsageError('Which command?')
  }
  const command = find(
    words.map(({ word }) => word),
    commands,
  )
  if (asksForHelp) return { kind: 'help', command }

  const named = new Set(words.slice(0, command.name.split(' ').length).map(({ index }) => index))
  const rest = args.filter((_, index) => !named.has(index))
  const { values, positionals } = parse(rest, command.options ?? {}, command.name)
  check(command, positionals)
  return { kind: 'run', command, given: positionals, values }
}

type Word = { word: string; index: number }

/** The words up to the first option that only a command can explain: the command is among them. */
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
    if (option && name) throw new UsageError(`"cowrie ${name}" has no option ${option}.`)
    // The parser's remark on arguments that begin with a dash helps nobody here.
    throw new UsageError(error.message.split('\n')[0] ?? error.message)
  }
}

/** The command with the most words that begin what was written. */
function find(words: readonly string[], commands: readonly Command[]): Command {
  const fitting = commands.filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  const [longest] = fitting.sort((a, b) => b.name.length - a.name.length)
  if (!longest) throw new UsageError(`There is no command "${words[0]}"${instead(words, commands)}.`)
  return longest
}

/** The commands that begin with this word, for who has written no more of them; or the one that was meant. */
function instead([word = '', next = '']: readonly string[], commands: readonly Command[]): string {
  const shown = commands.filter(({ hidden }) => !hidden).map(({ name }) => name)
  const below = shown.filter((name) => name.startsWith(`${word} `))
  if (below.length > 0) {
    const meant = below.find((name) => next !== '' && distance(name.slice(word.length + 1), next) <= 2)
    return meant
      ? ` with "${next}"; did you mean "${meant}"?`.replace(/\?$/, '')
      : ` alone: ${below.join(', ')}`
  }
  const meant = shown.find((name) => distance(name.split(' ')[0] ?? '', word) <= 2)
  return meant ? `; did you mean "${meant}"` : ''
}

/** How many letters lie between two words. */
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

function check({ name, usage = '', args: { min, max } }: Command, given: readonly string[]): void {
  if (given.length < min) throw new UsageError(`"cowrie ${name}" needs ${usage}.`)
  if (given.length > max) throw new UsageError(`"${given[max]}" is one word too many.`)
}
