// The texts of replies.
import { escapeProse, formatCode, formatProse } from '../../github/github.ts'
import type { ListedFinding } from '../findings/findings-sql.ts'
import { findingUrl, formatLink } from '../publish/format.ts'
import type { LatestRun } from '../runs/runs-sql.ts'

export const REPLIES = {
  dismissOff: 'The policy of this repository does not allow findings to be dismissed in replies.',
  adminsOnly: 'Only administrators of this repository may dismiss findings.',
  notByAuthor: 'The policy of this repository does not allow the author of a change to dismiss its findings.',
  reasonMissing: 'Give the reason after the command, for example: `@cowrie dismiss the value is a constant`.',
  walletFull: 'The finding was not dismissed: its refund would exceed the limit of the wallet.',
  underWay: 'The current commit is being reviewed. The result follows in the check.',
  closed: 'Only an open pull request can be reviewed again.',
  tooMany: 'This pull request was reviewed very often within the last hour. Try again later.',
  dismissed: (author: string, reason: string, isLater: boolean) =>
    `Dismissed by ${escapeProse(author)}: ${formatProse(reason)} ${isLater ? 'The finding no longer counts from the next review on. This pull request was reviewed very often within the last hour.' : 'The finding no longer counts, and the commit is reviewed again.'}`,
} as const

const VERDICTS = {
  unadjudicated: 'This finding has no verdict yet.',
  confirmed: 'confirmed this finding',
  refuted: 'refuted this finding',
  unproven: 'could neither confirm nor refute this finding',
} as const
const JUDGES = { person: 'A person', model: 'A model', history: 'Earlier verdicts' } as const
const FLOW_MAX = 12

export function explainFinding(finding: ListedFinding, url: string): string {
  const { ruleId, title, message, fix, flow, cwe, path, line, suggestion } = finding
  const steps = flow
    .slice(0, FLOW_MAX)
    .map((step, at) => `${at + 1}. ${formatCode(`${step.path}:${step.line}`)} ${formatProse(step.what)}`)
  return [
    `**${formatProse(title)}** at ${formatCode(`${path}:${line}`)} (rule ${formatCode(ruleId)}, [CWE-${cwe}](https://cwe.mitre.org/data/definitions/${cwe}.html))`,
    `**What can happen:** ${formatProse(message)}`,
    ...(steps.length > 0 ? [`**How the value gets there:**\n\n${steps.join('\n')}`] : []),
    `**What to do:** ${formatProse(fix)}`,
    ...(suggestion ? ['The suggested change in the first comment does this and passes the tests.'] : []),
    `**Verdict:** ${formatVerdict(finding)}`,
    formatLink('Open the finding in Cowrie', url),
  ].join('\n\n')
}

function formatVerdict({ status, adjudicatedBy, note }: ListedFinding): string {
  if (status === 'unadjudicated' || adjudicatedBy === null) return VERDICTS.unadjudicated
  const verdict = `${JUDGES[adjudicatedBy]} ${VERDICTS[status]}`
  return note === null || note === '' ? `${verdict}.` : `${verdict}: ${formatProse(note)}`
}

/** The answer after a review that a comment asked for. */
export function reviewedAgain(
  { headSha, status, reason, counts }: Pick<LatestRun, 'headSha' | 'status' | 'reason' | 'counts'>,
  finding: ListedFinding | null,
  isFound: boolean,
  baseUrl: string,
): string {
  const commit = `commit ${formatCode(headSha.slice(0, 12))}`
  if (status !== 'completed')
    return `The review of ${commit} did not complete: ${escapeProse((reason ?? status).replaceAll('_', ' '))}.`
  if (!finding) {
    const live = Math.max(0, (counts.findings ?? 0) - (counts.refuted ?? 0))
    return `Reviewed ${commit} again: ${live} ${live === 1 ? 'finding' : 'findings'}.`
  }
  const link = formatLink('Open the finding in Cowrie', findingUrl(baseUrl, finding.id))
  if (!isFound) return `Fixed: ${commit} no longer has this finding. ${link}`
  return `${commit[0]?.toUpperCase()}${commit.slice(1)} still has this finding at ${formatCode(`${finding.path}:${finding.line}`)}. ${link}`
}
