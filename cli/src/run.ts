// From arguments to an exit code. Everything a command touches is passed in, so that tests can call it in their process.
import { parseArgs } from 'node:util'
import { type Command, type Option, UsageError, type Values } from './command.ts'
import { commands } from './commands/index.ts'
import { credentialsIn } from './credentials.ts'
import { EXIT, report } from './failures.ts'
import { GLOBAL_OPTIONS, helpOf, helpOfOne } from './help.ts'
import { type Machine, thisMachine } from './machine.ts'
import { Output, type Sink } from './output.ts'
import { chooseService, connect, type KeySource } from './service.ts'

export type RunOptions = {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  stdout: Sink
  stderr: Sink
  signal?: AbortSignal
  /** In place of parts of this computer. */
  machine?: Partial<Machine>
}

export async function run({ args, env, stdout, stderr, signal, machine }: RunOptions): Promise<number> {
  let keySource: KeySource = null
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
    const credentials = credentialsIn(env)
    const { baseUrl, key, source } = await chooseService(values, env, credentials, out)
    keySource = source
    await command.run({
      client: connect(baseUrl, key, source),
      connect: (other) => connect(baseUrl, other, null),
      baseUrl,
      args: given,
      values,
      out,
      signal,
      credentials,
      keyFromEnvironment: source === 'environment',
      machine: { ...thisMachine, ...machine },
    })
    return EXIT.ok
  } catch (error) {
    return report(error, out, { signal, keySource })
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
  if (!longest) throw new UsageError(`There is no command "${words[0]}"${instead(words[0] ?? '')}.`)
  return longest
}

/** The commands that begin with this word, for who has written no more of them. */
function instead(word: string): string {
  const names = commands.map(({ name }) => name).filter((name) => name.startsWith(`${word} `))
  return names.length > 0 ? ` alone: ${names.join(', ')}` : ''
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
