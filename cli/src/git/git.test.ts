import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGit } from './git.ts'

test('a repository inside of the repository executes nothing', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cowrie-git-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [root, trace] = [join(folder, 'root'), join(folder, 'trace')]
  const inner = join(root, 'inner')
  mkdirSync(inner, { recursive: true })
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      stdio: 'ignore',
    })
  for (const each of [root, inner]) git(each, 'init')
  writeFileSync(join(inner, 'file'), 'one')
  git(inner, 'add', '.')
  git(inner, 'commit', '-m', 'one')
  git(root, 'add', 'inner')
  writeFileSync(join(inner, '.gitattributes'), '* filter=own')
  git(inner, 'config', 'filter.own.clean', `touch ${trace}; cat`)
  git(inner, 'config', 'core.fsmonitor', `touch ${trace}; false`)
  // Git reads a file again if its time changed.
  utimesSync(join(inner, 'file'), 1, 1)
  const { run } = openGit(root, process.env)
  for (const command of ['status', 'diff', 'diff-files']) await run([command])
  expect(existsSync(trace)).toBe(false)
  git(root, 'status')
  expect(existsSync(trace)).toBe(true)
})
