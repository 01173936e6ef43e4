// Parses an incomplete line and finds the commands, options or values that fit at its end.

import { GLOBAL_OPTIONS } from '../arguments/global-options.ts'
import type { Command, Completion, Option } from '../command.ts'

export type Word = { readonly word: string; readonly summary?: string }
export type CompletionRequest = {
  /** Fixed words that match the prefix. */
  readonly words: readonly Word[]
  /** The values to look up, and their prefix. */
  readonly from: Completion | null
  readonly begin: string
}

const GLOBALS: Readonly<Record<string, Option>> = GLOBAL_OPTIONS

/** `line` is everything after the program name; its last word is being typed. */
export function completionAt(line: readonly string[], commands: readonly Command[]): CompletionRequest {
  const words = joinSplitOptions(line)
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const shown = commands.filter(({ hidden }) => !hidden)
  const { plainWords, command, open } = parseWords(before, shown)

  if (open) return valuesOf(open.complete, last)
  const [, name = '', value] = /^--([\w-]+)=(.*)$/s.exec(last) ?? []
  if (value !== undefined) {
    const found = valuesOf(optionsOf(command)[name]?.complete, value)
    return { ...found, words: found.words.map((each) => ({ ...each, word: `--${name}=${each.word}` })) }
  }
  if (last.startsWith('-')) return { words: optionWords(optionsOf(command), last), from: null, begin: last }

  const next = nextWords(plainWords, shown, last)
  const ownWords = command ? plainWords.length - command.name.split(' ').length : 0
  // Subcommand names are offered together with the arguments of the shorter command.
  const values = command && ownWords < command.args.max ? valuesOf(command.complete, last) : NOTHING
  return { words: [...next, ...values.words], from: values.from, begin: last }
}

const NOTHING: CompletionRequest = { words: [], from: null, begin: '' }

/** Some shells split `--option=value` into three words. */
function joinSplitOptions(line: readonly string[]): string[] {
  const words: string[] = []
  for (let index = 0; index < line.length; index++) {
    const word = line[index] ?? ''
    const option = words.at(-1)
    if (word === '=' && option?.startsWith('--')) {
      // Such a shell inserts the value alone.
      if (index === line.length - 1) words.push('')
      continue
    }
    words.push(word)
  }
  return words
}

type ParsedWords = { plainWords: string[]; command: Command | undefined; open: Option | undefined }

/** The words without options and their values, and an option that still needs its value. */
function parseWords(words: readonly string[], commands: readonly Command[]): ParsedWords {
  const plainWords: string[] = []
  let command: Command | undefined
  let open: Option | undefined
  for (const word of words) {
    if (open) {
      open = undefined
      continue
    }
    if (word.startsWith('-') && word !== '-') {
      const option = optionNamed(word, optionsOf(command))
      if (option?.type === 'string' && !word.includes('=')) open = option
      continue
    }
    plainWords.push(word)
    command = commandOf(plainWords, commands) ?? command
  }
  return { plainWords, command, open }
}

function commandOf(plainWords: readonly string[], commands: readonly Command[]): Command | undefined {
  const fitting = commands.filter(({ name }) =>
    name.split(' ').every((word, index) => plainWords[index] === word),
  )
  return fitting.sort((a, b) => b.name.length - a.name.length)[0]
}

const optionsOf = (command: Command | undefined): Readonly<Record<string, Option>> => ({
  ...command?.options,
  ...GLOBALS,
})

function optionNamed(word: string, options: Readonly<Record<string, Option>>): Option | undefined {
  const [, long] = /^--([^=]+)/.exec(word) ?? []
  if (long !== undefined) return Object.hasOwn(options, long) ? options[long] : undefined
  return Object.values(options).find(({ short }) => short !== undefined && word === `-${short}`)
}

const optionWords = (options: Readonly<Record<string, Option>>, begin: string): Word[] =>
  Object.entries(options)
    .map(([name, { summary }]) => ({ word: `--${name}`, summary }))
    .filter(({ word }) => word.startsWith(begin))

function nextWords(plainWords: readonly string[], commands: readonly Command[], begin: string): Word[] {
  const found = new Map<string, string>()
  for (const { name, summary } of commands) {
    const words = name.split(' ')
    const next = words[plainWords.length]
    if (next === undefined || !plainWords.every((word, index) => words[index] === word)) continue
    if (!next.startsWith(begin)) continue
    // A word shared by several commands is described only if it is a command itself.
    const isWhole = words.length === plainWords.length + 1
    found.set(next, isWhole ? summary : (found.get(next) ?? ''))
  }
  return [...found].map(([word, summary]) => (summary === '' ? { word } : { word, summary }))
}

function valuesOf(complete: Completion | undefined, begin: string): CompletionRequest {
  if (complete === undefined) return { ...NOTHING, begin }
  if (typeof complete === 'string') return { words: [], from: complete, begin }
  return {
    words: complete.filter((word) => word.startsWith(begin)).map((word) => ({ word })),
    from: null,
    begin,
  }
}
