// cowrie index push: updates the organisation's code index from this repository.

import type { IndexState } from '@cowrie/sdk'
import { gatherFiles, type IndexFiles } from '../../code-index/files.ts'
import { historyAfter } from '../../code-index/history.ts'
import { differenceOf, type PushResult, push } from '../../code-index/push.ts'
import { DEFAULT_REPO, REPO_OPTION, repoOf } from '../../code-index/repo-name.ts'
import { readSentDigests } from '../../code-index/sent-digests.ts'
import { localSkips, serviceSkips, showSkips } from '../../code-index/show-skips.ts'
import type { Command, Context } from '../../command.ts'
import { checkSecrets } from '../../context/secret-check.ts'
import { Failure } from '../../errors.ts'
import { walletOf } from '../../spending/limit.ts'
import { costLine } from '../../spending/money.ts'

export const indexPush: Command = {
  name: 'index push',
  usage: '[path …]',
  summary: 'Index the changes in this repository, for chat, agent runs and search.',
  args: { min: 0, max: 100 },
  complete: 'files',
  options: {
    ...REPO_OPTION,
    'allow-secrets': {
      type: 'boolean',
      summary: 'Also send content that looks like a secret. Secrets are redacted before storage.',
    },
    'no-history': {
      type: 'boolean',
      summary: 'Do not send the subjects and files of recent commits, which improve searches for a change.',
    },
  },
  async run(context) {
    const { client, args, out, signal } = context
    const wallet = await walletOf(context)
    const { orgId, currency, balanceMinor } = wallet
    const repo = (await repoOf(context)) ?? DEFAULT_REPO
    const state = await client.index.get({ repo }, { signal })
    if (!state.enabled) throw new Failure('index_unavailable', 'This service has no code index.')
    const remembered = readSentDigests(context, { orgId, repo })
    const gathered = await gatherFiles(context, args, Object.keys(remembered.indexed))
    showSkips(out, localSkips(gathered.leftOut))
    const { changed, gone } = differenceOf(gathered, remembered, state)
    const { files: sent } = await checkSecrets(context, { files: changed }, '')
    const pushed = await push(context, { changed: sent, gone }, { repo, remembered, wallet })
    showSkips(out, serviceSkips(pushed.skipped))
    const commits = await pushHistory(context, repo, gathered, state)
    out.result({ repo, ...pushed, commits, leftOut: gathered.leftOut }, [summaryOf(pushed, commits)])
    const after = pushed.costMinor > 0n ? (await client.me.get({ signal })).balanceMinor : balanceMinor
    out.note(costLine({ costMinor: pushed.costMinor, balanceMinor: after, currency }))
  },
}

/** Sends commits that the index does not know. They cost nothing. Returns their number. */
async function pushHistory(
  { client, args, config, values, ...context }: Context,
  repo: string,
  { files }: IndexFiles,
  state: IndexState,
): Promise<number> {
  const isDataSaver = values['data-saver'] === true || config.dataSaver
  if (values['no-history'] === true || isDataSaver || args.length > 0) return 0
  const sendable = new Set(files.map(({ path }) => path))
  const send = async (stored: IndexState['history'] | undefined) => {
    const history = await historyAfter(context, stored, sendable)
    if (!history) return undefined
    const reply = await client.index.add({ repo, files: [], history }, { signal: context.signal })
    return { sent: history.commits.length, reply }
  }
  const first = await send(state.history)
  // Another clone has sent a history meanwhile.
  const last = first?.reply.history?.outcome === 'base_differs' ? await send(null) : first
  return last?.reply.history?.outcome === 'stored' ? last.sent : 0
}

function summaryOf({ indexed, removed, skipped }: PushResult, commits: number): string {
  const history = commits > 0 ? ` History: ${commits} more ${commits === 1 ? 'commit' : 'commits'}.` : ''
  if (indexed + removed + skipped.length === 0) return `The index is up to date.${history}`
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  const why = reasons.length > 0 ? ` (${reasons.join(', ').replaceAll('_', ' ')})` : ''
  return `${indexed} files indexed, ${removed} removed, ${skipped.length} not indexed${why}.${history}`
}
