// A git repository in a temporary folder.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { createGitFolder } from './git-folder.ts'

export type TestRepository = {
  readonly root: string
  /** Runs git in it and returns its output. */
  git(...args: string[]): string
  /** Writes files and creates their folders. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void
  remove(): void
}

/** Creates a repository with these files committed. */
export function makeRepository(files: Readonly<Record<string, string | Uint8Array>> = {}): TestRepository {
  const folder = scratchFolder()
  const root = mkdtempSync(join(folder, 'cowrie-repo-'))
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgSign=false', ...args],
      {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
  const write: TestRepository['write'] = (texts) => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
  write(files)
  const key = JSON.stringify(
    Object.entries(files).map(([path, text]) => [path, Buffer.from(text).toString('base64')]),
  )
  createGitFolder(root, `repository ${key}`, () => {
    git('init', '-q', '-b', 'main')
    if (Object.keys(files).length === 0) return
    git('add', '-A', '-f')
    git('commit', '-q', '-m', 'Begin')
  })
  return { root, git, write, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
