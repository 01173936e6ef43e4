// Runs git safely: no shell, limited time and output, and no command that the repository configures. A repository and its
// configuration may come from strangers.
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { Failure } from '../errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type GitOptions = {
  readonly input?: string | Uint8Array
  /** Exit codes besides 0 that are not failures. */
  readonly answers?: (code: number) => boolean
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly signal?: AbortSignal | undefined
}

export type GitAnswer = { readonly code: number; readonly bytes: Buffer; readonly text: string }

export type Git = {
  /** Executes nothing that the repository configures. */
  run(args: readonly string[], options?: GitOptions): Promise<GitAnswer>
  /** As if typed by the user: hooks and filters run without a time limit. */
  runAsPerson(args: readonly string[], options?: GitOptions): Promise<GitAnswer>
}

const TIME_MAX_MS = 60_000
const PERSON_TIME_MAX_MS = 15 * 60_000
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024
const MESSAGE_CHARACTERS_MAX = 2_000

/** Disables, for one call, every way a repository can configure a command. */
const QUIET: readonly (readonly [string, string])[] = [
  ['core.quotePath', 'off'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['core.alternateRefsCommand', ''],
  ['diff.external', ''],
  ['commit.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
]

/** The installed git, for the repository at `root`. */
export function openGit(root: string, env: Environment): Git {
  const program = findGit(env)
  const own = withoutGitVariables(env)
  let filters: Promise<readonly (readonly [string, string])[]> | null = null

  const quiet = (more: readonly (readonly [string, string])[]): Record<string, string> => {
    const settings = [...QUIET, ...more]
    const named: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) }
    for (const [index, [key, value]] of settings.entries()) {
      named[`GIT_CONFIG_KEY_${index}`] = key
      named[`GIT_CONFIG_VALUE_${index}`] = value
    }
    return { ...named, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_WORK_TREE: root, LC_ALL: 'C' }
  }
  const run: Git['run'] = async (args, options = {}) => {
    filters ??= runGit(program, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'], {
      cwd: root,
      env: { ...own, ...quiet([]) },
      answers: (code) => code === 1,
      timeMaxMs: TIME_MAX_MS,
    }).then(({ text }) => withoutFilters(text))
    return runGit(program, withoutNested(args), {
      cwd: root,
      ...options,
      env: { ...own, ...quiet(await filters), ...options.env },
      timeMaxMs: TIME_MAX_MS,
    })
  }
  return {
    run,
    runAsPerson: (args, options = {}) =>
      runGit(program, args, { cwd: root, ...options, env: own, timeMaxMs: PERSON_TIME_MAX_MS }),
  }
}

/** Git would start another git in each repository inside of this one, with the filters that it configures. */
const withoutNested = ([command = '', ...rest]: readonly string[]): string[] =>
  /^(?:status|diff|diff-files|diff-index)$/.test(command)
    ? [command, '--ignore-submodules=dirty', ...rest]
    : [command, ...rest]

/** A literal pathspec relative to the root. */
export const literalPath = (path: string): string => `:(top,literal)${path}`

/** NUL-separated output of git. */
export const splitNul = (text: string): string[] => text.split('\0').filter((field) => field !== '')

/** Settings that disable every filter. */
function withoutFilters(names: string): (readonly [string, string])[] {
  const found = splitNul(names).flatMap((key) => /^(filter\..+)\.[^.]+$/s.exec(key)?.[1] ?? [])
  return [...new Set(found)].flatMap((filter) => [
    [`${filter}.clean`, ''] as const,
    [`${filter}.smudge`, ''] as const,
    [`${filter}.process`, ''] as const,
    [`${filter}.required`, 'false'] as const,
  ])
}

/** Only absolute folders of PATH: "." would be the repository itself. */
export function findGit({ PATH, Path }: Environment): string {
  const name = process.platform === 'win32' ? 'git.exe' : 'git'
  for (const folder of (PATH ?? Path ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter)) {
    if (isAbsolute(folder) && isProgram(join(folder, name))) return join(folder, name)
  }
  throw new Failure('git_missing', 'git is not installed.', {
    next: 'Install git. Only "cowrie apply --no-git" works without it.',
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** A command started by a git hook must not use that hook's index or repository. */
function withoutGitVariables(env: Environment): Record<string, string> {
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (!name.startsWith('GIT_') || PERSONAL.test(name))) own[name] = value
  return own
}

const PERSONAL = /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$|^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/

function runGit(
  program: string,
  args: readonly string[],
  options: GitOptions & { env: Record<string, string>; timeMaxMs: number },
): Promise<GitAnswer> {
  const { input, answers, env, cwd, signal, timeMaxMs } = options
  const limit = AbortSignal.timeout(timeMaxMs)
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: 'pipe',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
      windowsHide: true,
    })
    const chunks: Buffer[] = []
    let size = 0
    let message = ''
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > OUTPUT_BYTES_MAX) child.kill()
      else chunks.push(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      message = (message + text).slice(-MESSAGE_CHARACTERS_MAX)
    })
    // Git may exit without reading all input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
    child.on('error', (error) => {
      if (signal?.aborted) reject(error)
      else reject(gitError(args, limit.aborted ? `it took longer than ${timeMaxMs / 1000} s` : error.message))
    })
    child.on('close', (code) => {
      const bytes = Buffer.concat(chunks)
      if (code !== null && (code === 0 || answers?.(code)))
        resolve({ code, bytes, text: bytes.toString('utf8') })
      else reject(gitError(args, message.trim() || `it exited with ${code ?? 'a signal'}`))
    })
  })
}

const gitError = ([command = '']: readonly string[], why: string): Failure =>
  new Failure('git_failed', `"git ${command}" failed: ${why}`)
