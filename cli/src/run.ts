// Runs one command line and returns the exit code. All side effects are passed in, so tests run it in their process.

import { parseLine } from './arguments/parse.ts'
import { credentialsIn } from './auth/credentials.ts'
import { chooseService, type KeySource } from './auth/service.ts'
import type { EarlyContext, Values } from './command.ts'
import { session } from './commands/session/session.ts'
import { UsageError } from './errors.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { readConfig } from './system/config.ts'
import { type Machine, thisMachine } from './system/machine.ts'
import { findPaths } from './system/paths.ts'
import { createAsk } from './terminal/ask.ts'
import { Output, type OutputMode, type Sink } from './terminal/output.ts'
import type { Screen } from './terminal/screen-types.ts'
import { VERSION } from './version.ts'

export type RunOptions = {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  stdout: Sink
  stderr: Sink
  signal?: AbortSignal
  /** Replaces parts of this computer in tests. */
  machine?: Partial<Machine>
}

export async function run(options: RunOptions): Promise<ExitCode> {
  const { args, env, stdout, stderr, signal } = options
  const machine: Machine = { ...thisMachine, ...options.machine }
  let keySource: KeySource = null
  let exit: ExitCode = EXIT.ok
  let name: string | undefined
  let screen: Screen | null = null
  // A pending read of the input would keep the process alive.
  const listening = new AbortController()
  // With a wrong option, --json still applies: scripts read the error.
  let out = new Output(stdout, stderr, outputModeOf({ json: args.includes('--json') }, env, machine))
  try {
    const isTerminal = machine.isStdinTerminal && machine.isStdoutTerminal
    // A session starts without loading all other commands.
    const commands = isTerminal && args.every(isSessionOption) ? [] : await allCommands()
    const wanted = parseLine(args, commands, isTerminal ? session : undefined)
    if (wanted.kind === 'help') {
      const { helpOf, helpOfGroup, helpOfOne } = await import('./help.ts')
      const width = machine.width()
      const { command, below } = wanted
      const lines = command
        ? helpOfOne(command, below, width)
        : below.length > 0
          ? helpOfGroup(below, width)
          : helpOf(commands, width)
      out.raw(`${lines.join('\n')}\n`)
      return EXIT.ok
    }
    if (wanted.kind === 'version') {
      out.raw(`cowrie ${VERSION}\n`)
      return EXIT.ok
    }
    const { command, given, values } = wanted
    name = command.name
    const paths = findPaths(env, machine.cwd, text(values.profile))
    const { config, ignored } = readConfig(paths)
    out = new Output(stdout, stderr, outputModeOf(values, env, machine, config.color))
    if (ignored.length > 0)
      out.warn(`.cowrie.json cannot set ${ignored.join(', ')}; ignored. See "cowrie config list".`)
    const credentials = credentialsIn(paths)
    const service = await chooseService(values, env, {
      credentials,
      out,
      usualOrg: config.org,
      isKeyless: command.isKeyless === true,
    })
    keySource = service.source
    const timeoutMs = timeoutMsOf(values)
    const early: EarlyContext = {
      hasKey: service.key !== undefined,
      baseUrl: service.baseUrl,
      org: service.org,
      args: given,
      values,
      out,
      ask: createAsk(machine, out, {
        yes: values.yes === true,
        signal: () => (signal ? AbortSignal.any([signal, listening.signal]) : listening.signal),
      }),
      signal,
      credentials,
      keyFromEnvironment: service.source === 'environment',
      env,
      machine,
      paths,
      config,
      endWith: (code) => {
        exit = code
      },
    }
    screen = (await command.openScreen?.(early)) ?? null
    const { clientsOf } = await import('./auth/connect.ts')
    await command.run({
      ...early,
      ...clientsOf(service, { timeoutMs, language: env.COWRIE_LANGUAGE }),
      screen,
    })
    out.endProgress()
    return exit
  } catch (error) {
    screen?.close()
    const { reportError } = await import('./report-error.ts')
    return reportError(error, out, { signal, keySource, name })
  } finally {
    screen?.close()
    listening.abort()
  }
}

function outputModeOf(
  values: Values,
  env: RunOptions['env'],
  machine: Machine,
  colorSetting: 'auto' | 'always' | 'never' = 'auto',
): OutputMode {
  const isAble = env.TERM !== 'dumb'
  // https://no-color.org: any non-empty value.
  const isRefused = values['no-color'] === true || Boolean(env.NO_COLOR) || colorSetting === 'never'
  const json = values.json === true
  return {
    json,
    quiet: values.quiet === true,
    color: !json && !isRefused && (colorSetting === 'always' || (isAble && machine.isStdoutTerminal)),
    live: !json && isAble && machine.isStderrTerminal,
    terminals: { stdout: machine.isStdoutTerminal, stderr: machine.isStderrTerminal },
    width: machine.width,
  }
}

function timeoutMsOf({ timeout }: Values): number | undefined {
  if (timeout === undefined) return undefined
  const seconds = Number(timeout)
  if (!/^\d{1,5}$/.test(String(timeout)) || seconds < 1)
    throw new UsageError('--timeout must be a whole number of seconds.')
  return seconds * 1000
}

const allCommands = async () => (await import('./commands/index.ts')).commands

/** An option that is neither a command nor asks for help or the version. */
const isSessionOption = (arg: string): boolean =>
  /^--?[a-z]/.test(arg) && !/^(-h|--help|--version)$/.test(arg)

const text = (value: Values[string]): string | undefined => (typeof value === 'string' ? value : undefined)
