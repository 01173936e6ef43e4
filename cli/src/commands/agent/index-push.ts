// cowrie index push: updates the organisation's code index from this repository.

import { gatherFiles } from '../../code-index/files.ts'
import { differenceOf, type PushResult, push } from '../../code-index/push.ts'
import { DEFAULT_REPO, REPO_OPTION, repoOf } from '../../code-index/repo-name.ts'
import { readSentDigests } from '../../code-index/sent-digests.ts'
import type { Command, Context } from '../../command.ts'
import { checkSecrets } from '../../context/secret-check.ts'
import { SKIP_REASONS } from '../../context/sendable.ts'
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
    showSkipped(context, gathered.leftOut)
    const { changed, gone } = differenceOf(gathered, remembered, state)
    const { files: sent } = await checkSecrets(context, { files: changed }, '')
    const pushed = await push(context, { changed: sent, gone }, { repo, remembered, wallet })
    out.result({ repo, ...pushed, leftOut: gathered.leftOut }, [summaryOf(pushed)])
    const after = pushed.costMinor > 0n ? (await client.me.get({ signal })).balanceMinor : balanceMinor
    out.note(costLine({ costMinor: pushed.costMinor, balanceMinor: after, currency }))
  },
}

function summaryOf({ indexed, removed, skipped }: PushResult): string {
  if (indexed + removed + skipped.length === 0) return 'The index is up to date.'
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  const why = reasons.length > 0 ? ` (${reasons.join(', ').replaceAll('_', ' ')})` : ''
  return `${indexed} files indexed, ${removed} removed, ${skipped.length} not indexed${why}.`
}

/** Files with possible secrets are listed; other skipped files are only counted. */
function showSkipped(
  { out }: Context,
  leftOut: readonly { path: string; why: keyof typeof SKIP_REASONS }[],
): void {
  for (const { path, why } of leftOut.filter((each) => each.why === 'secret').slice(0, 20))
    out.note(`${path} ${SKIP_REASONS[why]}.`)
  const others = leftOut.filter(({ why }) => why !== 'secret').length
  if (others > 0)
    out.note(`${others} ${others === 1 ? 'file was' : 'files were'} skipped: binary, too large or excluded.`)
}
