// cowrie index status, search and clear.
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { IndexSearchReply } from '@cowrie/sdk'
import { gatherFiles } from '../../code-index/files.ts'
import { differenceOf } from '../../code-index/push.ts'
import { DEFAULT_REPO, REPO_OPTION, repoOf } from '../../code-index/repo-name.ts'
import { searchRewritten } from '../../code-index/rewritten-search.ts'
import { readSentDigests, writeSentDigests } from '../../code-index/sent-digests.ts'
import { type Command, type Context, textOf, textsOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { bold, type Line, verbatim } from '../../terminal/line.ts'
import { columns } from '../../terminal/wrap.ts'

const SHOWN_LINES = 3
const HITS_MAX = 50

export const indexStatus: Command = {
  name: 'index status',
  summary: 'Show the index, and local changes since the last push.',
  args: { min: 0, max: 0 },
  options: REPO_OPTION,
  async run(context) {
    const { client, out, signal, paths } = context
    const repo = (await repoOf(context)) ?? DEFAULT_REPO
    const state = await client.index.get({ repo }, { signal })
    const { orgId } = await client.me.get({ signal })
    const difference = paths.repository
      ? differenceOf(await gatherFiles(context, [], []), readSentDigests(context, { orgId, repo }), state)
      : null
    const here = difference && { changed: difference.changed.length, gone: difference.gone.length }
    const { paths: _, chunksByPath: __, digests: ___, ...facts } = state
    const others = state.repositories.filter((each) => each.repo !== repo)
    out.result(
      { ...facts, here },
      columns([
        ['repository', repo],
        ['files', `${state.files}, in ${state.chunks} chunks`],
        ['size', `${Math.ceil(state.bytes / 1024)} KiB`],
        ['updated', state.updatedAt?.slice(0, 16).replace('T', ' ') ?? 'never'],
        ...(here ? [['here', `${here.changed} to send, ${here.gone} to remove`] as const] : []),
        ...others.map((each) => ['also indexed', `${each.repo} (${each.files} files)`] as const),
      ]),
    )
  },
}

export const indexSearch: Command = {
  name: 'index search',
  usage: '<query>',
  summary: 'Search the indexed code. Free without --rewrite.',
  args: { min: 1, max: 1 },
  options: {
    ...REPO_OPTION,
    limit: { type: 'string', placeholder: '<n>', summary: 'How many to show, 1 to 50. Default: 10.' },
    path: {
      type: 'string',
      multiple: true,
      placeholder: '<prefix>',
      summary: 'Only paths with this prefix. Repeatable.',
    },
    rewrite: {
      type: 'boolean',
      summary: 'Let a model add names and words to the query. Costs one model call.',
    },
  },
  async run(context) {
    const { client, args, values, out, signal } = context
    const paths = textsOf(values, 'path')
    const repo = (await repoOf(context)) ?? DEFAULT_REPO
    const query = { repo, query: args[0] ?? '', limit: limitIn(context), ...(paths.length > 0 && { paths }) }
    const found =
      values.rewrite === true
        ? await searchRewritten(context, query)
        : await client.index.search(query, { signal })
    out.result(
      found,
      found.hits.flatMap((hit) => linesOf(context, hit)),
    )
    if (found.hits.length === 0) out.note('No results. Index this repository with "cowrie index push".')
    else if (found.mode === 'lexical') out.note('Keyword matches only.')
  },
}

function limitIn({ values }: Context): number {
  const limit = textOf(values, 'limit') ?? '10'
  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > HITS_MAX)
    throw new UsageError(`--limit must be a number from 1 to ${HITS_MAX}.`)
  return Number(limit)
}

/** `file:line`, which terminals and editors can open, and the start of the chunk. */
function linesOf(
  context: Context,
  { path, startLine, symbol, content }: IndexSearchReply['hits'][number],
): Line[] {
  const shown = content
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, SHOWN_LINES)
  return [
    [bold(`${fromHere(context, path)}:${startLine}`), symbol === '' ? '' : `  ${symbol}`],
    ...shown.map((line) => [verbatim(`    ${line.trimEnd()}`, 'dim')]),
  ]
}

/** Relative to the current folder, for files of this repository. */
function fromHere({ paths: { repository, cwd } }: Context, path: string): string {
  if (!repository || !existsSync(join(repository.root, path))) return path
  return relative(cwd, join(repository.root, path))
}

export const indexClear: Command = {
  name: 'index clear',
  usage: '[path]',
  summary: "Remove a path, or this whole repository, from your organisation's index.",
  args: { min: 0, max: 1 },
  options: REPO_OPTION,
  async run(context) {
    const { client, args, out, ask, signal } = context
    const [path] = args
    const repo = (await repoOf(context)) ?? DEFAULT_REPO
    const what = path === undefined ? `the repository "${repo}"` : `"${path}" of "${repo}"`
    if (!(await ask.yes(`Remove ${what} from the index?`))) {
      out.note('Nothing was removed.')
      return context.endWith(EXIT.cancelled)
    }
    const reply = await client.index.clear({ repo, ...(path !== undefined && { path }) }, { signal })
    const { orgId } = await client.me.get({ signal })
    const { indexed, skipped } = readSentDigests(context, { orgId, repo })
    if (path !== undefined) delete indexed[path]
    await writeSentDigests(
      context,
      { orgId, repo },
      path === undefined ? { indexed: {}, skipped: {} } : { indexed, skipped },
    )
    out.result(reply, [`Removed ${reply.cleared} ${reply.cleared === 1 ? 'file' : 'files'}.`])
  },
}
