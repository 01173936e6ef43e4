// The tools that run commands: `run`, and commands in the background.
import { join } from 'node:path'
import { secretSpans } from '@cowrie/sdk/secrets'
import { prefixLines, toPlainOutput } from '@cowrie/workspace/text/plain-text.ts'
import { openGit } from '../../git/git.ts'
import type { Assessment, ClientTool, RunOptions, ToolCall, ToolReport } from '../../session/types.ts'
import { bold, type Line, verbatim, yellow } from '../../terminal/line.ts'
import type { LocalGroup } from '../tool-group.ts'
import { type BackgroundReply, createBackground } from './background.ts'
import { cutMiddle } from './bounded-output.ts'
import { suggestPatterns } from './command-rules.ts'
import { describeChanges, describeDisarmed, describeResult, patchesOf, summaryOf } from './describe-run.ts'
import { isHarmless, namesSecretFile, QUIET_GIT } from './harmless-commands.ts'
import { maskKnownFormats } from './mask-known-formats.ts'
import { disarmNestedRepositories } from './nested-repositories.ts'
import { looksOffline, NETWORK_VARIABLE, needsNetwork } from './network-need.ts'
import { startProcess } from './run-process.ts'
import type { Environment } from './sandbox/environment.ts'
import { openSandbox, type Sandbox, type SandboxStatus } from './sandbox/sandbox.ts'
import { parseCommand } from './shell-syntax.ts'
import { openSnapshots } from './snapshot.ts'
import { withheldFiles } from './withheld-files.ts'

export type CommandToolsOptions = {
  readonly root: string
  /** The git folder of the repository; null without one. */
  readonly gitFolder: string | null
  /** Of this session, for what is needed to undo a command. Deleted at the end. */
  readonly folder: string
  readonly env: Environment
  readonly home: string | null
  readonly platform: NodeJS.Platform
  /** Of this repository, kept: what commands see as their home folder. */
  readonly sandboxFolder: string
  /** Folders with keys and state of ours, which commands must not see. */
  readonly hidden: readonly string[]
  /** Whether commands have the network without a question. */
  readonly isNetworkAllowed: () => boolean
  /** Replaces secrets. Default: those with a known format. */
  readonly mask?: (text: string) => string | Promise<string>
  readonly isDataSaver?: boolean
  /** Shared with hooks and MCP servers of the repository. Default: a new one. */
  readonly sandbox?: Sandbox
}

export type CommandTools = LocalGroup & {
  readonly sandbox: Sandbox
  status(): Promise<SandboxStatus>
  running(): readonly { readonly kind: 'command'; readonly name: string; readonly state: string }[]
}

const SECONDS_USUAL = 120
const SECONDS_MAX = 600
const COMMAND_CHARACTERS_MAX = 8_000
const OUTPUT_CHARACTERS_MAX = 24_000
const SAVER_CHARACTERS_MAX = 6_000

const INTERRUPTED =
  'The command was started, and this program ended before it did. Check what it did before you run it again.'
const NOT_STARTED: ToolReport = {
  ok: false,
  output: 'It had not started, so it had no effects.',
  summary: 'stopped before it started',
}
const NAMES = ['run', 'background_start', 'background_output', 'background_stop'] as const

export function createCommandTools(options: CommandToolsOptions): CommandTools {
  const { root, env, isNetworkAllowed, mask = maskKnownFormats } = options
  const ownSandbox = options.sandbox === undefined
  const sandbox =
    options.sandbox ??
    openSandbox({
      ...options,
      folder: options.sandboxFolder,
      isSecret: (value) => secretSpans(value).length > 0,
    })
  const charactersMax = options.isDataSaver ? SAVER_CHARACTERS_MAX : OUTPUT_CHARACTERS_MAX
  const snapshots = openSnapshots(root, options.gitFolder, options.folder, env)
  const background = createBackground(sandbox, charactersMax)

  const toModel = async (headline: string, output: string): Promise<string> => {
    // Terminal codes go first: they could split a secret so that it is not found.
    const text = cutMiddle(await mask(toPlainOutput(output)), charactersMax).trimEnd()
    return text.trim() === '' ? headline : `${headline}\n${prefixLines(text)}`
  }
  const disarm = async (): Promise<readonly string[]> => {
    if (options.gitFolder === null) return []
    try {
      return await disarmNestedRepositories(openGit(root, env), root)
    } catch {
      // Without git, or without an index that git can read, no git command enters a folder.
      return []
    }
  }
  /** The user was asked for the network if the command needs it. */
  const isOnline = ({ input }: ToolCall): boolean =>
    isNetworkAllowed() || needsNetwork(commandOf(input) ?? '') || input.network === true

  /** In a large repository it takes seconds, and a stop does not wait for it. */
  let preparing: Promise<unknown> = Promise.resolve()
  function prepare({ callId }: ToolCall, command: string) {
    const prepared = preparing.then(async () => {
      const { kind } = await sandbox.status()
      const isReading = kind !== 'none' && isHarmless(command, root)
      return {
        kind,
        isReading,
        snapshot: isReading ? null : await snapshots.take(callId),
        withheld: isReading ? await withheldFiles(root, env) : [],
      }
    })
    preparing = prepared.catch(() => undefined)
    return prepared
  }

  const run = async (call: ToolCall, { signal, onOutput }: RunOptions): Promise<ToolReport> => {
    const command = commandOf(call.input) ?? ''
    const seconds = secondsOf(call.input)
    const online = isOnline(call)
    const prepared = await unlessStopped(prepare(call, command), signal)
    if (prepared === null) return NOT_STARTED
    const { kind, isReading, snapshot, withheld } = prepared
    const launch = await sandbox.launch(command, {
      isOnline: online,
      withheld,
      ...(isReading && { env: QUIET_GIT }),
    })
    const running = startProcess(launch, { timeoutMs: seconds * 1_000, signal, onOutput })
    const result = await running.ended
    const text = running.output.text()
    const changes = isReading ? null : ((await snapshot?.changes()) ?? null)
    const disarmed = isReading || kind === 'none' ? [] : await disarm()
    const isOffline = !online && kind !== 'none' && result.exitCode !== 0 && looksOffline(text)
    const headline = [
      describeResult(result, seconds),
      ...(text.trim() === '' ? ['It printed nothing.'] : []),
      ...(isOffline
        ? [
            `Commands have no network here. To ask the user for it, begin the command with ${NETWORK_VARIABLE}=1.`,
          ]
        : []),
      ...(isReading ? [] : describeChanges(changes, snapshots.doubt)),
      ...(disarmed.length > 0 ? [describeDisarmed(disarmed)] : []),
    ].join(' ')
    const { patches, details } = await patchesOf(changes, mask)
    return {
      ok: result.outcome === 'exited' && result.exitCode === 0,
      output: await toModel(headline, text),
      summary: [
        summaryOf(result, changes),
        ...(disarmed.length > 0 ? [describeDisarmed(disarmed)] : []),
      ].join('. '),
      ...(patches.length > 0 && { changes: patches }),
      ...(changes && changes.steps.length > 0 && { steps: changes.steps }),
      ...(details.length > 0 && { details }),
    }
  }

  const interrupted = async ({ callId, tool }: ToolCall): Promise<ToolReport | null> => {
    const changes = tool === 'run' ? await snapshots.recover(callId) : null
    if (changes === null) return null
    const { patches, details } = await patchesOf(changes, mask)
    return {
      ok: false,
      output: [INTERRUPTED, ...describeChanges(changes, null)].join(' '),
      summary: INTERRUPTED,
      ...(patches.length > 0 && { changes: patches }),
      ...(changes.steps.length > 0 && { steps: changes.steps }),
      ...(details.length > 0 && { details }),
    }
  }

  const reply = async ({ ok, headline, output }: BackgroundReply): Promise<ToolReport> => ({
    ok,
    output: await toModel(headline, output),
    summary: headline,
  })

  return {
    sandbox,
    status: () => sandbox.status(),
    definitions: DEFINITIONS,
    names: NAMES,
    isReadOnly: (tool) => tool === 'background_output',
    running: () =>
      background
        .running()
        .map(({ id, command, state }) => ({ kind: 'command', name: `${id}: ${command}`, state })),
    async assess(call) {
      if (call.tool === 'background_output' || call.tool === 'background_stop') return { kind: 'free' }
      const command = commandOf(call.input)
      const problem = problemOf(command)
      if (command === null || problem !== null)
        return { kind: 'refused', reason: problem ?? 'The command is missing.' }
      return assessCommand(command, await sandbox.status(), {
        root,
        asksNetwork: !isNetworkAllowed() && isOnline(call),
        isOnline: isOnline(call),
        isBackground: call.tool === 'background_start',
      })
    },
    async run(call, runOptions) {
      const id = String(call.input.id ?? '')
      const problem = problemOf(commandOf(call.input))
      switch (call.tool) {
        case 'background_output':
          return reply(await background.output(id))
        case 'background_stop': {
          const stopped = await background.stop(id)
          const disarmed = await disarm()
          const headline = [
            stopped.headline,
            ...(disarmed.length > 0 ? [describeDisarmed(disarmed)] : []),
          ].join(' ')
          return reply({ ...stopped, headline })
        }
      }
      if (problem !== null) return { ok: false, output: problem, summary: problem }
      if (call.tool === 'run') return run(call, runOptions)
      return reply(await background.start(commandOf(call.input) ?? '', isOnline(call)))
    },
    interrupted,
    async close() {
      const hasRun = background.running().length > 0
      await background.close()
      if (hasRun) await disarm()
      await preparing
      await snapshots.close()
      if (ownSandbox) await sandbox.close()
    },
  }
}

/** Null as soon as the signal aborts. */
async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  let stop = () => {}
  const stopped = new Promise<null>((resolve) => {
    stop = () => resolve(null)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

type Circumstances = {
  readonly root: string
  readonly asksNetwork: boolean
  readonly isOnline: boolean
  readonly isBackground: boolean
}

function assessCommand(command: string, { kind, doubt }: SandboxStatus, around: Circumstances): Assessment {
  const subject = command
  const shown: Line[] = command.split('\n').map((line) => [verbatim(line)])
  if (kind === 'none')
    return {
      kind: 'ask',
      about: 'outside',
      subject,
      preview: [
        ...shown,
        [
          yellow('Without a sandbox'),
          `, because ${doubt ?? 'there is none'}: it can read and change all your files and use the network.`,
        ],
      ],
      patterns: [],
    }
  if (!around.isBackground && !around.asksNetwork && isHarmless(command, around.root)) return { kind: 'free' }
  const secret = parseCommand(command)?.some(namesSecretFile) === true
  const network = around.isOnline ? 'uses the network, also services of this computer' : 'no network'
  const preview: Line[] = [
    ...shown,
    [bold('In the sandbox'), `: changes only this folder, cannot read your home folder, ${network}.`],
    ...(around.isBackground
      ? ['It runs in the background until it ends or the session does. Undo does not cover it.']
      : []),
    ...(secret ? [[yellow('It names a file that holds secrets.')]] : []),
  ]
  if (around.asksNetwork)
    return { kind: 'ask', about: 'network', subject, preview, patterns: exactOnly(command) }
  if (secret) return { kind: 'ask', about: 'sensitive', subject, preview, patterns: exactOnly(command) }
  return { kind: 'ask', about: 'command', subject, preview, patterns: suggestPatterns(command) }
}

/** A rule with a star would give the network to everything that such a command can do. */
const exactOnly = (command: string): readonly string[] =>
  suggestPatterns(command).filter((pattern) => pattern === command.trim())

function commandOf({ command }: ToolCall['input']): string | null {
  return typeof command === 'string' ? command : null
}

function problemOf(command: string | null): string | null {
  if (command === null || command.trim() === '') return 'The command is empty.'
  if (command.includes('\0')) return 'The command contains a NUL character.'
  if (command.length > COMMAND_CHARACTERS_MAX)
    return `The command is longer than ${COMMAND_CHARACTERS_MAX} characters. Write a script.`
  return null
}

function secondsOf({ timeoutSeconds }: ToolCall['input']): number {
  const wanted = typeof timeoutSeconds === 'number' && timeoutSeconds >= 1 ? timeoutSeconds : SECONDS_USUAL
  return Math.min(wanted, SECONDS_MAX)
}

const commandSchema = { type: 'string', description: 'A shell command, run in the root of the repository.' }
const idSchema = { type: 'string', description: 'Such as bg1.' }
const toolSchema = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const DEFINITIONS: readonly ClientTool[] = [
  {
    name: 'background_start',
    description:
      'Starts a command that keeps running in the background, such as a development server or a watcher, and returns its id and first output. It ends with the session.',
    inputSchema: toolSchema(
      {
        command: commandSchema,
        network: {
          type: 'boolean',
          description:
            'Asks the user for the network. Commands of the session reach each other on localhost without it.',
        },
      },
      ['command'],
    ),
    isReadOnly: false,
  },
  {
    name: 'background_output',
    description: 'Returns what a background command printed since the last call, and whether it still runs.',
    inputSchema: toolSchema({ id: idSchema }, ['id']),
    isReadOnly: true,
  },
  {
    name: 'background_stop',
    description: 'Stops a background command.',
    inputSchema: toolSchema({ id: idSchema }, ['id']),
    isReadOnly: false,
  },
]

/** Where the sandbox of a repository keeps its files. */
export const sandboxFolderIn = (cache: string, rootHash: string): string => join(cache, 'sandbox', rootHash)
