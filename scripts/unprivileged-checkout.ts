// A copy of this checkout that belongs to an unprivileged user, in a folder with a space in its name, even if root runs the
// tests. The folders of its node_modules belong to that user too; the files in them are hard links.
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

const ROOT = join(import.meta.dirname, '..')
/** The user `nobody`, which exists on every Linux. */
const NOBODY = 65_534
const LEFT_OUT = new Set(['.git', '.data', 'coverage', 'dist', 'node_modules'])
/** Not linked: a write through a hard link would change the caches of this checkout. */
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest-cache'])

export const isRoot = process.getuid?.() === 0

export type UnprivilegedCheckout = {
  readonly root: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Starts a program as the unprivileged user, in a new process group. */
  start(program: string, args: readonly string[], options?: StartOptions): StartedProgram
  /** Kills all running programs and deletes the copy. */
  remove(): Promise<void>
}

export type StartOptions = { cwd?: string; env?: Readonly<Record<string, string>> }

export type StartedProgram = {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The output of both streams so far. */
  readonly printed: () => string
  readonly ended: Promise<number | null>
}

export function copyCheckout(): UnprivilegedCheckout {
  const place = mkdtempSync(join(tmpdir(), 'cowrie user-'))
  const [root, home] = [join(place, 'check out'), join(place, 'home')]
  for (const folder of [root, home]) mkdirSync(folder)
  const parts = readdirSync(ROOT).filter((name) => !LEFT_OUT.has(name))
  copy(ROOT, parts, root)
  const modules = join(root, 'node_modules')
  mkdirSync(modules)
  const packages = readdirSync(join(ROOT, 'node_modules')).filter((name) => !CACHES.has(name))
  const canLink = statSync(ROOT).dev === statSync(place).dev
  copy(join(ROOT, 'node_modules'), packages, modules, canLink ? '--link' : '--reflink=auto')
  if (isRoot) changeOwner(place, canLink ? modules : null)
  const env = {
    PATH: [join(root, 'node_modules/.bin'), process.env.PATH ?? '/usr/bin:/bin'].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    TERM: 'xterm-256color',
    // Everything must be installed already.
    npm_config_offline: 'true',
  }
  const running = new Set<StartedProgram>()
  return {
    root,
    home,
    env,
    start(program, args, { cwd = root, env: more = {} } = {}) {
      const started = start(program, args, cwd, { ...env, ...more })
      running.add(started)
      void started.ended.finally(() => running.delete(started))
      return started
    },
    async remove() {
      const left = [...running]
      for (const { child } of left) if (child.pid) process.kill(-child.pid, 'SIGKILL')
      await Promise.allSettled(left.map(({ ended }) => ended))
      await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

function copy(from: string, names: readonly string[], to: string, how = '--reflink=auto'): void {
  execFileSync('cp', ['-a', how, ...names.map((name) => join(from, name)), to])
}

/** Changes the owner of all files except hard links, which would change their owner in this checkout too. */
function changeOwner(place: string, linked: string | null): void {
  const isLinkedFile = linked ? ['-not', '(', '-path', `${linked}/*`, '-type', 'f', ')'] : []
  const owner = `${NOBODY}:${NOBODY}`
  execFileSync('find', [place, ...isLinkedFile, '-exec', 'chown', '--no-dereference', owner, '{}', '+'])
  chownSync(place, NOBODY, NOBODY)
  try {
    execFileSync('/bin/true', { cwd: place, uid: NOBODY, gid: NOBODY })
  } catch (error) {
    throw new Error(
      `The user ${NOBODY} cannot enter ${place}, so nothing can be tested as an unprivileged user. Set TMPDIR to a folder that all users can enter.`,
      { cause: error },
    )
  }
}

function start(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): StartedProgram {
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  // A program that has exited closes its stdin.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { child, printed: () => printed, ended }
}
