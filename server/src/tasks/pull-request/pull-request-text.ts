// The texts of a pull request and its commits. Text from models and repositories creates no mentions, references, links or images.
import { breakReferences, escapeProse, formatCode, toOneLine } from '../../github/github.ts'
import { type Currency, format, money } from '../../kernel/money.ts'
import type { SkippedFile, Withheld } from '../types.ts'
import type { TestSummary, TurnVerification, VerificationReason } from '../verify/types.ts'

export type PullRequestText = {
  readonly summary: string
  /** Of all turns of the task. */
  readonly costMinor: bigint
  readonly currency: Currency
  readonly turns: number
  /** Of exactly these files. */
  readonly verification: TurnVerification | null
  /** The files changed after a verification, so it does not cover them. */
  readonly isOutdated?: boolean
  readonly withheld: readonly Withheld[]
  readonly skipped: readonly SkippedFile[]
  /** The address of the task. */
  readonly url: string
}

/** GitHub accepts about 65,000 characters. */
const BODY_MAX = 60_000
const SUMMARY_LINES_MAX = 60
const LISTED_MAX = 20
const SUBJECT_MAX = 72
const MESSAGE_LINE_MAX = 500

const REASONS: Readonly<Record<VerificationReason, string>> = {
  failed_before_passes_now: 'the tests failed before this change and pass with it.',
  new_test_passes: 'a new test was added, and all tests pass.',
  passed_before: 'the tests passed before this change as well, so they do not prove it.',
  still_fails: 'the tests still fail.',
  tests_changed: 'tests, their configuration or their runner were changed, so a pass proves nothing.',
  hard_coded: 'the program knows values of the tests, so a pass does not prove the general case.',
  flaky: 'the tests gave different results for the same files.',
  no_tests_ran: 'the command ran no tests.',
  no_changes: 'nothing was changed.',
  no_command: 'no test command is known.',
  no_sandbox: 'this deployment has no sandbox for tests.',
  dependencies_failed: 'the dependencies could not be installed.',
  sandbox_failed: 'the sandbox failed.',
  timed_out: 'the tests took too long.',
  stopped: 'the turn was stopped before the tests ended.',
}

export function writePullRequestBody(text: PullRequestText): string {
  const {
    summary,
    costMinor,
    currency,
    turns,
    verification,
    isOutdated = false,
    withheld,
    skipped,
    url,
  } = text
  const cost = `This task cost ${format(money(costMinor, currency))} so far, in ${turns} ${turns === 1 ? 'turn' : 'turns'}.`
  const parts = [
    formatSummary(summary),
    ['### Evidence', ...formatEvidence(verification, isOutdated)].join('\n\n'),
    ...(withheld.length > 0 ? [`### Withheld from the model\n\n${formatWithheld(withheld)}`] : []),
    ...(skipped.length > 0 ? [`### Not part of the workspace\n\n${formatSkipped(skipped)}`] : []),
    `${cost} [Open the task in Cowrie](${encodeURI(url)}).`,
  ]
  const body = parts.filter((part) => part !== '').join('\n\n')
  return body.length > BODY_MAX ? `${body.slice(0, BODY_MAX)}…` : body
}

/** Paragraphs, list items and inline code stay. All other markup is escaped. */
function formatSummary(summary: string): string {
  const lines = summary
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const shown = lines.slice(0, SUMMARY_LINES_MAX).map((line) => {
    const [, item] = /^[-*] +(.*)$/s.exec(line) ?? []
    return item === undefined ? formatLine(line) : `- ${formatLine(item)}`
  })
  return [...shown, ...(lines.length > shown.length ? ['…'] : [])].join('\n\n')
}

const formatLine = (line: string): string =>
  toOneLine(line)
    .split(/(?<!`)`([^`]+)`(?!`)/)
    .map((part, at) => (at % 2 === 1 ? formatCode(part) : escapeSpaced(part)))
    .join('')

/** Keeps the spaces next to inline code, which `escapeProse` trims. */
const escapeSpaced = (part: string): string => {
  const [, before = '', after = ''] = /^( *).*?( *)$/s.exec(part) ?? []
  return part.trim() === '' ? before : `${before}${escapeProse(part)}${after}`
}

function formatEvidence(verification: TurnVerification | null, isOutdated: boolean): string[] {
  if (verification === null)
    return [`Not verified: ${isOutdated ? 'the files changed after the tests ran.' : 'no tests ran.'}`]
  const { verified, command, before, after, reason, detail } = verification
  const verdict = `${verified ? 'Verified' : 'Not verified'}: ${REASONS[reason]}`
  const facts = [
    ...(command === null ? [] : [`- Command: ${formatCode(command)}`]),
    ...(before ? [`- Before: ${formatRun(before)}`] : []),
    ...(after ? [`- After: ${formatRun(after)}`] : []),
    ...(detail ? [`- Reason: ${escapeProse(detail)}`] : []),
  ]
  return [verdict, ...(facts.length > 0 ? [facts.join('\n')] : [])]
}

function formatRun({ exitCode, passed, failed, isEnded }: TestSummary): string {
  const tests = passed + failed > 0 ? `${passed} passed, ${failed} failed` : 'no test counts'
  if (!isEnded) return `${tests}, ended by a limit`
  return `${tests}, exit code ${exitCode ?? 'unknown'}`
}

const formatWithheld = (withheld: readonly Withheld[]): string =>
  formatList(withheld, ({ path, line, reason }) => {
    const place = line === undefined ? path : `${path}:${line}`
    return `${formatCode(place)}: ${escapeProse(reason.replaceAll('_', ' '))}`
  })

const formatSkipped = (skipped: readonly SkippedFile[]): string =>
  formatList(skipped, ({ path, reason }) => `${formatCode(path)}: ${reason.replaceAll('_', ' ')}`)

function formatList<T>(items: readonly T[], formatItem: (item: T) => string): string {
  const more = items.length - LISTED_MAX
  const lines = items.slice(0, LISTED_MAX).map((item) => `- ${formatItem(item)}`)
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

export type CommitText = { readonly title: string; readonly summary: string; readonly url: string }

/**
 * The link is the last paragraph, so no line of the summary is a trailer such as a co-author. Marks that skip checks are removed.
 */
export function writeCommitMessage({ title, summary, url }: CommitText): string {
  const clean = (line: string) =>
    breakReferences(toOneLine(line).replaceAll(/\[((?:\w+ )?(?:skip|ci|no|actions)(?: \w+)?)\]/gi, '$1'))
  const lines = summary
    .split('\n')
    .slice(0, SUMMARY_LINES_MAX)
    .map((line) => clean(line).slice(0, MESSAGE_LINE_MAX))
  const body = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  const subject = shorten(clean(title), SUBJECT_MAX) || 'Change files'
  return [subject, body, `Task: ${url}`].filter((part) => part !== '').join('\n\n')
}

/** Cuts after a word. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  const at = cut.lastIndexOf(' ')
  return `${(at > most / 2 ? cut.slice(0, at) : cut).trimEnd()}…`
}

const SECTION = { start: '<!-- cowrie:task -->', end: '<!-- /cowrie:task -->' }

/** Marks the text as ours, so that people can write around it. */
export const wrapSection = (text: string): string => {
  const inner = text.replaceAll(SECTION.start, '').replaceAll(SECTION.end, '')
  return `${SECTION.start}\n${inner}\n${SECTION.end}`
}

/** Without the marks, people replaced our text: it stays as it is. */
export function replaceSection(body: string, text: string): string {
  const from = body.indexOf(SECTION.start)
  const to = body.indexOf(SECTION.end, from)
  if (from < 0 || to < 0) return body
  return `${body.slice(0, from)}${wrapSection(text)}${body.slice(to + SECTION.end.length)}`
}
