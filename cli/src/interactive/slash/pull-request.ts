// /pr: a branch with one commit of the changes of this session, pushed with git, and a pull request.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { Failure } from '../../errors.ts'
import { checkAuthor, checkBranch, checkCommittable, commitFiles } from '../../git/commit.ts'
import { type Git, literalPath, openGit } from '../../git/git.ts'
import { bold, dim, green, type Line } from '../../terminal/line.ts'
import { rowsOf, totalsOf } from '../changes.ts'
import type { TerminalSession } from '../terminal-session.ts'
import type { SlashCommand } from './command.ts'

const SUBJECT_CHARACTERS = 72

export const pr: SlashCommand = {
  name: 'pr',
  usage: '[branch]',
  summary: 'Commit the changes of this session to a branch, push it, and open a pull request.',
  async run(terminal, rest) {
    const { screen, open, work, context } = terminal
    const changes = (await open?.toolbox.changes()) ?? []
    if (!context.paths.repository) throw new Failure('no_repository', 'This folder is not a git repository.')
    if (!open || changes.length === 0) {
      screen.print(['This session has no changes.'])
      return undefined
    }
    const git = openGit(work.root, context.env)
    await checkAuthor(git)
    await checkCommittable(git)
    const remote = await remoteOf(git)
    const current = await currentBranch(git)
    const paths = await changedAmong(git, [...new Set(changes.map(({ path }) => path))])
    if (paths.length === 0) {
      screen.print(['All changes of this session are committed or taken back.'])
      return undefined
    }
    const title = titleOf(open.session.title)
    const branch = await branchFor(git, rest, title)
    const totals = totalsOf(changes.filter(({ path }) => paths.includes(path)))
    const agreed = await screen.choose({
      title: [
        bold(
          `Commit ${paths.length === 1 ? '1 file' : `${paths.length} files`} to ${branch} and push it to ${remote.name}?`,
        ),
      ],
      body: [...rowsOf(totals), [dim(`"${title}"`)], [dim(remote.url)]],
      choices: [
        { key: 'y', label: 'yes', value: true },
        { key: 'n', label: 'no', value: false },
      ],
    })
    if (agreed !== true) return undefined
    await screen.during(async (signal) => {
      try {
        await publish(terminal, git, { branch, base: current, title, paths, remote, signal })
      } finally {
        screen.setActivity(null)
      }
    })
    return undefined
  },
}

type Remote = { readonly name: string; readonly url: string }
type Publication = {
  readonly branch: string
  readonly base: string
  readonly title: string
  readonly paths: readonly string[]
  readonly remote: Remote
  readonly signal: AbortSignal
}

async function publish(terminal: TerminalSession, git: Git, publication: Publication): Promise<void> {
  const { branch, base, title, paths, remote, signal } = publication
  const { screen, context } = terminal
  screen.setActivity('Committing')
  if (branch !== base) await git.runAsPerson(['switch', '--quiet', '--create', branch])
  const created = await untrackedAmong(git, paths)
  const message = `${title}\n`
  await commitFiles(git, message, { created, others: paths.filter((path) => !created.includes(path)) })
  screen.setActivity('Pushing')
  await git.runAsPerson(['push', '--quiet', '--set-upstream', remote.name, branch], { signal })
  const lines: Line[] = [[green('✓ '), `Pushed ${branch} to ${remote.name}.`]]
  const gh = findProgram('gh', context.env.PATH)
  screen.setActivity('Opening the pull request')
  const opened = gh ? await runGh(gh, terminal, { branch, title, signal }) : null
  const address = opened ?? compareAddress(remote.url, base, branch)
  lines.push(address ?? 'Open the pull request on the page of the repository.')
  screen.print(lines)
}

/** The address of the pull request; null if gh could not open it. */
function runGh(
  program: string,
  { work, context, turns, screen }: TerminalSession,
  { branch, title, signal }: Pick<Publication, 'branch' | 'title' | 'signal'>,
): Promise<string | null> {
  const summary = turns.findLast(({ outcome }) => outcome.summary !== null)?.outcome.summary ?? title
  return new Promise((resolve) => {
    const child = spawn(program, ['pr', 'create', '--head', branch, '--title', title, '--body', summary], {
      cwd: work.root,
      env: { ...context.env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    })
    let [shown, failure] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (failure = (failure + text).slice(-500)))
    child.on('error', () => resolve(null))
    child.on('close', (code) => {
      const [address] = /https?:\/\/\S+/.exec(shown) ?? []
      if (code === 0 && address) return resolve(address)
      screen.print([[dim(`gh could not open the pull request: ${failure.trim()}`)]])
      resolve(null)
    })
  })
}

async function branchFor(git: Git, wanted: string, title: string): Promise<string> {
  const usual = wanted || `cowrie/${slugOf(title)}`
  for (let number = 1; ; number++) {
    const name = number === 1 ? usual : `${usual}-${number}`
    try {
      await checkBranch(git, name)
      return name
    } catch (error) {
      if (wanted !== '' || !(error instanceof Failure) || error.code !== 'branch_exists' || number > 20)
        throw error
    }
  }
}

const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '') || 'changes'

const titleOf = (title: string): string => {
  const line = title.replace(/\s+/g, ' ').trim() || 'Changes by Cowrie'
  return line.length > SUBJECT_CHARACTERS ? `${line.slice(0, SUBJECT_CHARACTERS - 1)}…` : line
}

async function remoteOf(git: Git): Promise<Remote> {
  const { text } = await git.run(['remote'])
  const names = text.split('\n').filter((name) => name !== '')
  const name = names.includes('origin') ? 'origin' : names[0]
  if (name === undefined)
    throw new Failure('no_remote', 'The repository has no remote to push to.', {
      next: 'Add one with "git remote add origin <address>".',
    })
  return { name, url: (await git.run(['remote', 'get-url', name])).text.trim() }
}

async function currentBranch(git: Git): Promise<string> {
  const { code, text } = await git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], {
    answers: (answer) => answer === 1,
  })
  return code === 0 ? text.trim() : 'HEAD'
}

/** Those that differ from the last commit. */
async function changedAmong(git: Git, paths: readonly string[]): Promise<string[]> {
  const { text } = await git.run([
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--',
    ...paths.map(literalPath),
  ])
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3))
}

async function untrackedAmong(git: Git, paths: readonly string[]): Promise<string[]> {
  const { text } = await git.run(['ls-files', '-z', '--', ...paths.map(literalPath)])
  const tracked = new Set(text.split('\0'))
  return paths.filter((path) => !tracked.has(path))
}

/** The page that offers a pull request for the branch, for addresses of known forges. */
export function compareAddress(remoteUrl: string, base: string, branch: string): string | null {
  const [, host, path] =
    /^(?:https?:\/\/(?:[^@/]+@)?|ssh:\/\/(?:[^@/]+@)?|[^@\s]+@)([^:/]+)(?::\d+)?[:/](.+?)(?:\.git)?\/?$/.exec(
      remoteUrl,
    ) ?? []
  if (!host || !path || !/^[\w.-]+$/.test(host) || !/^[\w./~-]+$/.test(path)) return null
  const [from, to] = [base, branch].map((name) => encodeURIComponent(name).replaceAll('%2F', '/'))
  if (/gitlab/i.test(host))
    return `https://${host}/${path}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`
  if (/bitbucket/i.test(host))
    return `https://${host}/${path}/pull-requests/new?source=${encodeURIComponent(branch)}`
  return `https://${host}/${path}/compare/${base === 'HEAD' ? to : `${from}...${to}`}?expand=1`
}

/** Only in absolute folders of PATH: "." would be the repository itself. */
function findProgram(name: string, path: string | undefined): string | null {
  for (const folder of (path ?? '').split(delimiter)) {
    const full = join(folder, process.platform === 'win32' ? `${name}.exe` : name)
    if (!isAbsolute(folder)) continue
    try {
      accessSync(full, constants.X_OK)
      return full
    } catch {
      // Not in this folder.
    }
  }
  return null
}
