// From arguments to an exit code. Everything a command touches is passed in, so that tests can call it in their process.
import { parseArgs } from 'node:util'
import { type Client, createClient } from '@cowrie/sdk'
import { type Command, type Option, UsageError, type Values } from './command.ts'
import { commands } from './commands/index.ts'
import { EXIT, report } from './failures.ts'
import { GLOBAL_OPTIONS, helpOf, helpOfOne } from './help.ts'
import { Output, type Sink } from './output.ts'

export type RunOptions = {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  stdout: Sink
  stderr: Sink
  signal?: AbortSignal
}

const BASE_URL_DEFAULT = 'http://127.0.0.1:8080'

export async function run({ args, env, stdout, stderr, signal }: RunOptions): Promise<number> {
  const key = env.COWRIE_API_KEY?.trim() || undefined
  // A wrong option must not hide that JSON was asked for: scripts read the failure too.
  const out = new Output(stdout, stderr, args.includes('--json'))
  try {
    const { values, positionals } = parse(args)
    if (positionals.length === 0 && !values.help) throw new UsageError('Which command?')
    const wanted = positionals[0] === 'help' ? positionals.slice(1) : positionals
    if (wanted.length === 0) return say(out, helpOf(commands))
    const command = find(wanted)
    if (values.help || positionals[0] === 'help') return say(out, helpOfOne(command))

    const given = wanted.slice(command.name.split(' ').length)
    check(command, given, values)
    const baseUrl = String(values['base-url'] || env.COWRIE_URL || BASE_URL_DEFAULT).replace(/\/+$/, '')
    await command.run({ client: connect(baseUrl, key), baseUrl, args: given, values, out, signal })
    return EXIT.ok
  } catch (error) {
    return report(error, out, { signal, hasKey: key !== undefined })
  }
}

function say(out: Output, lines: readonly string[]): number {
  out.raw(`${lines.join('\n')}\n`)
  return EXIT.ok
}

function parse(args: readonly string[]): { values: Values; positionals: string[] } {
  const options: Record<string, Option> = { ...GLOBAL_OPTIONS }
  for (const command of commands) Object.assign(options, command.options)
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

/** The command with the most words that begin what was written. */
function find(words: readonly string[]): Command {
  const fitting = commands.filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
  const [longest] = fitting.sort((a, b) => b.name.length - a.name.length)
  if (!longest) throw new UsageError(`There is no command "${words[0]}".`)
  return longest
}

function check(
  { name, usage = '', args: { min, max }, options = {} }: Command,
  given: readonly string[],
  values: Values,
): void {
  if (given.length < min) throw new UsageError(`"cowrie ${name}" needs ${usage}.`)
  if (given.length > max) throw new UsageError(`"${given[max]}" is one word too many.`)
  for (const option of Object.keys(values))
    if (!Object.hasOwn(GLOBAL_OPTIONS, option) && !Object.hasOwn(options, option))
      throw new UsageError(`"cowrie ${name}" has no option --${option}.`)
}

function connect(baseUrl: string, key: string | undefined): Client {
  try {
    return createClient({ baseUrl, key, headers: { 'user-agent': 'cowrie-cli' } })
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(
        `${error.message.replace(/^key/, 'COWRIE_API_KEY').replace(/^baseUrl/, 'The base URL')}.`,
      )
    throw error
  }
}
