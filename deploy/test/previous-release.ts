// The previous release in a separate folder: its source from git, and the packages of its lockfile.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npmCommand } from '../../scripts/install.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024

export type PreviousRelease = {
  readonly commit: string
  /** The program of the service. */
  readonly program: string
  /** The number of its newest migration. */
  readonly schema: number
}

/** The newest tag of this history, or the commit in deploy/previous-release while there is no tag. */
export function previousCommit(): string {
  const [tag] = git('tag', '--merged', 'HEAD', '--sort=-creatordate').toString().split('\n')
  const name = tag || readFileSync(join(ROOT, 'deploy/previous-release'), 'utf8').trim()
  return git('rev-parse', '--verify', `${name}^{commit}`).toString().trim()
}

export function checkOutPreviousRelease(folder: string): PreviousRelease {
  const commit = previousCommit()
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) })
  const isSameLock =
    readFileSync(join(folder, 'package-lock.json'), 'utf8') ===
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  if (isSameLock) linkPackages(folder)
  else install(folder)
  const versions = readdirSync(join(folder, 'server/migrations')).flatMap((name) =>
    name.endsWith('.sql') ? [Number(name.slice(0, 4))] : [],
  )
  return { commit, program: join(folder, 'server/src/main.ts'), schema: Math.max(...versions) }
}

/** Packages are shared, except those of the workspace, which must be the source of that release. */
function linkPackages(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, '@cowrie'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@cowrie') symlinkSync(join(from, name), join(to, name))
  const { workspaces } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const workspace of workspaces) {
    const { name } = JSON.parse(readFileSync(join(folder, workspace, 'package.json'), 'utf8'))
    if (name.startsWith('@cowrie/')) symlinkSync(join(folder, workspace), join(to, name))
  }
}

function install(folder: string): void {
  const [command = '', ...words] = npmCommand()
  execFileSync(command, [...words, 'ci', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
}

const git = (...words: string[]): Buffer =>
  execFileSync('git', words, { cwd: ROOT, maxBuffer: OUTPUT_BYTES_MAX, stdio: ['ignore', 'pipe', 'pipe'] })
