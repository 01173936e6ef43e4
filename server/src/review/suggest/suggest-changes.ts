// Changes that people can commit from the comment of a finding. Each was applied to the reviewed commit: the finding disappears,
// no other appears, and the project's tests pass in the sandbox. All other proposals are dropped.
import type { ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { newNonce } from '../../agent/agent.ts'
import { hasPermission } from '../../github/github.ts'
import { before } from '../../kernel/clock.ts'
import { type FinishedTurn, releaseTurn, renewHold } from '../../metering/metering.ts'
import { chargeabilityNow, findOrg } from '../../orgs/orgs.ts'
import { isLiveSecret } from '../findings/corpus.ts'
import { listSuggestions, setSuggestion } from '../findings/findings-sql.ts'
import type { RecordedFinding } from '../findings/record-findings.ts'
import type { Suggestion } from '../publish/format-suggestion.ts'
import type { ChangeSet } from '../pull/change-set.ts'
import type { ReviewContext } from '../runs/review-context.ts'
import type { ValidationResult } from '../runs/runs-sql.ts'
import { findRunCost, sumOtherRunCosts } from '../runs/runs-sql.ts'
import { reviewSettings } from '../settings.ts'
import { type HeadTests, openHeadTests } from '../validation/validation.ts'
import { settleReviewTurn, type VerificationState } from '../verify/review-turn.ts'
import { problemFromError } from '../verify/stop-reasons.ts'
import { applyFix, type Fix } from './apply-fix.ts'
import { isRemoved, scanAll } from './check-fix.ts'
import { proposeFixes } from './mechanical-fixes.ts'
import { askForFixes, type ModelFixes } from './model-fixes.ts'

/** Each is tested alone, and tests are slow. */
const SUGGESTIONS_MAX = 5

export type Suggestions = ReadonlyMap<string, Suggestion>
type SuggestionSetup = {
  readonly review: ReviewContext
  readonly changeSet: ChangeSet
  readonly tests: HeadTests
  readonly scanned: ScanReport
}

/** By fingerprint. Empty unless the project's tests passed on the reviewed commit. */
export async function suggestChanges(
  review: ReviewContext,
  changeSet: ChangeSet,
  validation: ValidationResult | null,
  recorded: readonly RecordedFinding[],
): Promise<Suggestions> {
  const wanted = recorded.filter((each) => mayBeSuggested(each, changeSet)).slice(0, SUGGESTIONS_MAX)
  if (validation?.status !== 'passed' || wanted.length === 0) return new Map()
  const recalled = await recallSuggestions(review, changeSet, wanted)
  const open = wanted.filter(({ finding }) => !recalled.has(finding.fingerprint))
  const tests = open.length === 0 ? null : await openHeadTests(review, changeSet)
  const scanned = tests && (await scanAll(review, changeSet.files))
  if (tests === null || scanned === null) return recalled
  const setup: SuggestionSetup = { review, changeSet, tests, scanned }
  const found = await suggestByRules(setup, open)
  const rest = open.filter(({ finding }) => !found.has(finding.fingerprint))
  return new Map([...recalled, ...found, ...(await suggestByModel(setup, rest))])
}

/** An earlier attempt at this commit may have paid for a suggestion and ended before it was published. */
async function recallSuggestions(
  { app, run }: ReviewContext,
  changeSet: ChangeSet,
  wanted: readonly RecordedFinding[],
): Promise<Suggestions> {
  const ids = wanted.map(({ id }) => id)
  const stored = await app.db.tx(run.orgId, (tx) => listSuggestions(tx, run, ids))
  return new Map(
    wanted.flatMap(({ id, finding }) => {
      const known = stored.get(id)
      return known && isOnShownLines(changeSet, finding.path, known) ? [[finding.fingerprint, known]] : []
    }),
  )
}

/** A finding gets its comment once, so only a new one can get a suggestion. No model may see a live secret. */
const mayBeSuggested = ({ finding, status, isPublished }: RecordedFinding, { commentable }: ChangeSet) =>
  !isPublished &&
  status !== 'refuted' &&
  !isLiveSecret(finding) &&
  commentable.get(finding.path)?.has(finding.line) === true

async function suggestByRules(
  setup: SuggestionSetup,
  wanted: readonly RecordedFinding[],
): Promise<Suggestions> {
  const found = new Map<string, Suggestion>()
  const { app, run } = setup.review
  for (const each of wanted) {
    const content = contentOf(setup.changeSet.files, each.finding.path)
    for (const fix of proposeFixes(each.finding, content)) {
      if (!(await passesAll(setup, each, fix))) continue
      found.set(each.finding.fingerprint, toSuggestion(fix, 'rule', setup.tests.command))
      break
    }
  }
  await app.db.tx(run.orgId, async (tx) => {
    for (const { id, finding } of wanted) {
      const suggestion = found.get(finding.fingerprint)
      if (suggestion) await setSuggestion(tx, run, id, suggestion, 0n)
    }
  })
  return found
}

const toSuggestion = (fix: Fix, by: Suggestion['by'], command: string): Suggestion => ({
  ...fix,
  by,
  command,
})

/** The hosts accept comments and suggestions only on lines of the diff. */
function isOnShownLines({ commentable }: ChangeSet, path: string, { startLine, endLine }: Fix): boolean {
  const lines = commentable.get(path)
  for (let line = startLine; line <= endLine; line++) if (!lines?.has(line)) return false
  return true
}

async function passesAll(
  { review, changeSet, tests, scanned }: SuggestionSetup,
  { finding }: RecordedFinding,
  fix: Fix,
): Promise<boolean> {
  const { path } = finding
  if (!isOnShownLines(changeSet, path, fix)) return false
  const before = contentOf(changeSet.files, path)
  const after = applyFix(before, fix)
  if (after === null) return false
  const files = changeSet.files.map((file) => (file.path === path ? { path, content: after } : file))
  const rescanned = await scanAll(review, files)
  if (rescanned === null || !isRemoved(finding, scanned, rescanned)) return false
  await review.throwIfSuperseded()
  return tests.pass({ path, before, after })
}

const contentOf = (files: readonly ScannedFile[], path: string): string =>
  files.find((file) => file.path === path)?.content ?? ''

const { review_llm_enabled } = reviewSettings.settings

/** The turn is paid only with a suggestion that passed. Its hold is renewed while the tests run. */
async function suggestByModel(
  setup: SuggestionSetup,
  wanted: readonly RecordedFinding[],
): Promise<Suggestions> {
  const { app, run, signal } = setup.review
  if (wanted.length === 0 || run.isFork || !app.settings.get(review_llm_enabled)) return new Map()
  if (!mayPublish(setup.review)) return new Map()
  const state = await openModelState(setup)
  const answered = await askOrStop(setup, state, wanted)
  if (!answered) return new Map()
  const { finished, fixes } = answered
  const renewal = renewHold(app, finished.turn)
  try {
    const found = new Map<string, Suggestion>()
    for (const each of wanted) {
      const fix = fixes.get(each.finding.fingerprint)
      if (fix && (await passesAll(setup, each, fix)))
        found.set(each.finding.fingerprint, toSuggestion(fix, 'model', setup.tests.command))
    }
    if (found.size === 0) await releaseTurn(app, finished.turn)
    else await settleSuggestions(setup.review, finished, wanted, found)
    return found
  } catch (error) {
    await releaseTurn(app, finished.turn)
    signal.throwIfAborted()
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Only comments on lines have suggestions, so no other review pays for one. */
const mayPublish = ({ installation: { inlineComments, permissions } }: ReviewContext): boolean =>
  inlineComments && hasPermission(permissions, 'pull_requests', 'write')

async function openModelState({ review, changeSet }: SuggestionSetup): Promise<VerificationState> {
  const { app, run } = review
  const since = before(app.clock.now(), { days: 1 })
  return app.db.tx(run.orgId, async (tx) => {
    const cost = await findRunCost(tx, run.orgId, run.id)
    return {
      review,
      nonce: newNonce(),
      files: new Map(changeSet.files.map((file) => [file.path, file])),
      cost,
      otherRunsMinor: await sumOtherRunCosts(tx, run, since),
      next: cost.turns + 1,
      work: run.id,
    }
  })
}

/** Null without balance, budget or answer: the findings are published without suggestions. */
async function askOrStop(
  { review }: SuggestionSetup,
  state: VerificationState,
  wanted: readonly RecordedFinding[],
): Promise<ModelFixes | null> {
  const { app, run, signal } = review
  const charge = chargeabilityNow(app, await app.db.tx(run.orgId, (tx) => findOrg(tx, run.orgId)))
  if (!charge.chargeable) return null
  try {
    return await askForFixes(
      state,
      charge.org,
      wanted.map(({ finding }) => finding),
    )
  } catch (error) {
    signal.throwIfAborted()
    if (!problemFromError(error)) throw error
    app.log.warn({ err: error, runId: run.id }, 'review.suggestion.incomplete')
    return null
  }
}

async function settleSuggestions(
  { app, run }: ReviewContext,
  finished: FinishedTurn,
  wanted: readonly RecordedFinding[],
  found: Suggestions,
): Promise<void> {
  await app.db.tx(run.orgId, async (tx) => {
    const { walletMinor } = await settleReviewTurn(app, tx, run, finished)
    const shareMinor = walletMinor / BigInt(found.size)
    for (const { id, finding } of wanted) {
      const suggestion = found.get(finding.fingerprint)
      if (suggestion) await setSuggestion(tx, run, id, suggestion, shareMinor)
    }
  })
}
