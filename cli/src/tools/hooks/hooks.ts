// Runs the commands that the user, or the repository with the consent of the user, wants before and after edits and commands.
import { join } from 'node:path'
import { createGlob } from '@cowrie/workspace/text/glob.ts'
import { toPlainOutput } from '@cowrie/workspace/text/plain-text.ts'
import { bold, type Line, verbatim } from '../../terminal/line.ts'
import { cutMiddle } from '../commands/bounded-output.ts'
import { matchesPattern } from '../commands/command-rules.ts'
import { startProcess } from '../commands/run-process.ts'
import type { Environment } from '../commands/sandbox/environment.ts'
import { commandEnvironment } from '../commands/sandbox/environment.ts'
import { findShell, type Launch, type Sandbox } from '../commands/sandbox/sandbox.ts'
import { isTrusted, readSmallFile, type Trust } from '../trust/trusted-file.ts'
import { type Hook, type HookEvent, readHookConfig } from './hook-config.ts'

export type HooksOptions = {
  readonly root: string
  readonly env: Environment
  readonly home: string | null
  /** hooks.json of the user; null without a home folder. */
  readonly userFile: string | null
  readonly trust: Trust
  /** For the hooks of the repository. Those of the user are programs of the user. */
  readonly sandbox: Sandbox
  /** A sentence for the user, such as about a hook that failed. */
  readonly onNote: (note: string) => void
}

/** The call or turn, as JSON on the input of the hook. */
export type HookInput = {
  readonly turnId?: string
  readonly tool?: string
  readonly path?: string
  readonly command?: string
  readonly [fact: string]: unknown
}

export type HookOutcome = {
  /** The reason of a hook with exit code 2; null if none objects. */
  readonly blocked: string | null
  /** The standard output of the hooks. */
  readonly output: string
}

export type Hooks = {
  readonly list: readonly Hook[]
  run(event: HookEvent, input: HookInput, signal?: AbortSignal): Promise<HookOutcome>
}

/** As in other programs: this exit code stops what the hook is about. */
const BLOCKED = 2
const OUTPUT_CHARACTERS_MAX = 4_000
const PROJECT_FILE = '.cowrie/hooks.json'
const NOTHING: HookOutcome = { blocked: null, output: '' }

export async function openHooks(options: HooksOptions): Promise<Hooks> {
  const list = await readHooks(options)
  return {
    list,
    async run(event, input, signal) {
      const wanted = list.filter((hook) => hook.event === event && isAbout(hook, input))
      if (wanted.length === 0) return NOTHING
      const text = JSON.stringify({ event, root: options.root, ...input })
      const outputs: string[] = []
      for (const hook of wanted) {
        const { blocked, output } = await runHook(hook, text, options, signal)
        if (output !== '') outputs.push(output)
        if (blocked !== null) return { blocked, output: outputs.join('\n') }
      }
      return { blocked: null, output: outputs.join('\n') }
    },
  }
}

async function runHook(
  hook: Hook,
  input: string,
  options: HooksOptions,
  signal: AbortSignal | undefined,
): Promise<HookOutcome> {
  const running = startProcess(await launchOf(hook, options), {
    timeoutMs: hook.timeoutMs,
    input,
    ...(signal && { signal }),
  })
  const result = await running.ended
  const shown = (text: string) => cutMiddle(toPlainOutput(text), OUTPUT_CHARACTERS_MAX).trim()
  const output = shown(running.output.text())
  const errors = shown(running.errors())
  const name = `The hook "${hook.command.slice(0, 80)}" (${hook.event})`
  if (result.outcome === 'exited' && result.exitCode === BLOCKED)
    return { blocked: errors || output || `${name} objects.`, output: '' }
  if (result.outcome === 'timed_out')
    options.onNote(`${name} did not end within ${hook.timeoutMs / 1_000} s and was stopped.`)
  else if (result.outcome !== 'stopped' && result.exitCode !== 0)
    options.onNote(
      `${name} failed (${result.reason ?? `exit code ${result.exitCode ?? 'unknown'}`})${errors === '' ? '' : `: ${errors.slice(0, 300)}`}.`,
    )
  return { blocked: null, output: result.exitCode === 0 ? output : '' }
}

async function launchOf(
  { source, command }: Hook,
  { root, env, home, sandbox }: HooksOptions,
): Promise<Launch> {
  if (source === 'repository')
    return sandbox.launchProgram(findShell(env), ['-c', command], { isOnline: false })
  const variables = commandEnvironment(env, home, { isOnline: true, isSecret: () => false })
  return { program: findShell(env), args: ['-c', command], env: variables, cwd: root }
}

function isAbout({ match }: Hook, { path, command }: HookInput): boolean {
  if (match === null) return true
  if (command !== undefined) return matchesPattern(command, match)
  return path === undefined || createGlob(match)?.(path) === true
}

async function readHooks(options: HooksOptions): Promise<readonly Hook[]> {
  const own = options.userFile === null ? null : readFileOf(options.userFile, 'user', options.onNote)
  const path = join(options.root, PROJECT_FILE)
  const theirs = readFileOf(path, 'repository', options.onNote)
  const ownHooks = own?.hooks ?? []
  if (theirs === null || theirs.hooks.length === 0) return ownHooks
  const isAllowed = await isTrusted(options.trust, path, theirs.text, () => ({
    title: ['This repository wants to run ', bold('commands by itself'), ` (${PROJECT_FILE}).`],
    body: [
      ...theirs.hooks.map(
        (hook): Line => ['  ', bold(hook.event), '  ', verbatim(hook.command.slice(0, 500))],
      ),
      'They run in the sandbox if there is one. Agree only if you trust this repository. A change of the file asks again.',
    ],
  }))
  if (!isAllowed) options.onNote(`The hooks of ${PROJECT_FILE} are not used.`)
  return isAllowed ? [...ownHooks, ...theirs.hooks] : ownHooks
}

function readFileOf(
  path: string,
  source: Hook['source'],
  onNote: (note: string) => void,
): { text: string; hooks: readonly Hook[] } | null {
  try {
    const text = readSmallFile(path)
    if (text === null) return null
    const { hooks, problems } = readHookConfig(text, source)
    for (const problem of problems) onNote(`${path}: ${problem}`)
    return { text, hooks }
  } catch (error) {
    onNote((error as Error).message)
    return null
  }
}
