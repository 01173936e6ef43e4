// The packed command as a process, as users have it: one file without the modules of the repository.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { COMPILE_CACHE } from '@cowrie/testkit/harness/compile-cache.ts'
import { buildCli } from '../../scripts/packages/pack.mjs'

export type PackedCli = {
  /** The command line that starts it, without arguments. */
  readonly program: readonly string[]
  start(args: readonly string[], options: StartOptions): CliProcess
  remove(): void
}

export type StartOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: string
}

export type CliProcess = {
  readonly child: ChildProcess
  readonly ended: Promise<CliEnd>
  /** Kills it and everything that it started, as a power cut does. */
  kill(): void
}

export type CliEnd = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export async function packCli(): Promise<PackedCli> {
  const stage = mkdtempSync(join(tmpdir(), 'cowrie-packed-'))
  await buildCli(stage)
  const program = [process.execPath, join(stage, 'bin', 'cowrie.cjs')] as const
  return {
    program,
    remove: () => rmSync(stage, { recursive: true, force: true }),
    start(args, { cwd, env, input }) {
      const [command, file] = program
      const child = spawn(command, [file, ...args], {
        cwd,
        env: {
          PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
          LANG: 'C.UTF-8',
          ...COMPILE_CACHE,
          ...env,
        },
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        detached: true,
      })
      child.stdin?.end(input)
      const output = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const)
        child[name]?.setEncoding('utf8').on('data', (text: string) => {
          output[name] += text
        })
      return {
        child,
        ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output }))),
        kill() {
          try {
            process.kill(-(child.pid ?? 0), 'SIGKILL')
          } catch {
            // It has ended already.
          }
        },
      }
    },
  }
}
