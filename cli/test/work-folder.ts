// A folder with files, with or without git, and results to apply to it.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileEdit } from '@cowrie/sdk'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { sha256 } from '../src/apply/plan.ts'
import type { Result } from '../src/results/result.ts'
import { createResult } from '../src/results/store.ts'
import { findPaths } from '../src/system/paths.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { createGitFolder } from './git-folder.ts'
import { RESULT } from './results.ts'

export type Files = Readonly<Record<string, string>>

export type WorkFolder = {
  readonly root: string
  /** The output of git. */
  git(...args: string[]): string
  write(files: Files): void
  read(path: string): string
  /** Every file and link outside of .git with its content and executable bit. */
  tree(): Record<string, string>
  /** Stores a result for these files or those of the first commit. An edit is the new text, or null to delete. */
  result(
    edits: Readonly<Record<string, string | null>>,
    more?: Partial<Result>,
    madeFrom?: Files,
  ): Promise<Result>
  cowrie(args: readonly string[], options?: CommandOptions): Promise<CommandResult>
  remove(): void
}

/** For git and the CLI: no configuration of the user who runs the tests. */
export const environmentOf = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
})

/** Creates a folder with these files, in a first commit if it uses git. */
export function makeWorkFolder(files: Files = {}, { isGit = true } = {}): WorkFolder {
  const home = realpathSync(scratchFolder())
  const root = join(home, 'work')
  mkdirSync(root)
  const env = environmentOf(home)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const write = (wanted: Files) => {
    for (const [path, text] of Object.entries(wanted)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
      if (text.startsWith('#!')) chmodSync(join(root, path), 0o755)
    }
  }
  write(files)
  if (isGit) {
    createGitFolder(root, JSON.stringify(files), () => {
      git('init', '-q', '-b', 'main', '--template=')
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', 'first')
      mkdirSync(join(root, '.git/hooks'))
    })
  }
  return {
    root,
    git,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    tree: () => treeOf(root),
    result: (edits, more = {}, madeFrom = files) => {
      const { id: _, ...fresh } = RESULT
      const made = {
        ...fresh,
        root,
        sent: Object.entries(madeFrom).map(([path, content]) => ({ path, content })),
        edits: Object.entries(edits).map(([path, text]) => editOf(path, text, madeFrom[path])),
      }
      return createResult(findPaths(env, root, undefined), { ...made, ...more })
    },
    cowrie: (args, options = {}) =>
      cowrie(args, {
        ...options,
        env: { ...env, ...options.env },
        machine: { cwd: root, ...options.machine },
      }),
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

function editOf(path: string, text: string | null, base: string | undefined): FileEdit {
  return {
    path,
    action: text === null ? 'delete' : base === undefined ? 'create' : 'update',
    content: text ?? '',
    description: 'asked for',
    baseSha256: base === undefined ? null : sha256(base),
  }
}

/** Links are listed, never followed. */
function treeOf(root: string, within = ''): Record<string, string> {
  const tree: Record<string, string> = {}
  for (const entry of readdirSync(join(root, within), { withFileTypes: true })) {
    const path = join(within, entry.name)
    const full = join(root, path)
    if (path === '.git') continue
    if (entry.isSymbolicLink()) tree[path] = `-> ${readlinkSync(full)}`
    else if (entry.isDirectory()) Object.assign(tree, { [`${path}/`]: '' }, treeOf(root, path))
    else tree[path] = `${lstatSync(full).mode & 0o100 ? 'x ' : ''}${readFileSync(full, 'latin1')}`
  }
  return tree
}
