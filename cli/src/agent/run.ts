// A run from prompt to result: quote, confirm, record, send, store, show and apply.
import { randomBytes } from 'node:crypto'
import { type CowrieError, toJson } from '@cowrie/sdk'
import { applyOptionsIn, applyResult, checkApplicable } from '../apply/apply.ts'
import { openTarget } from '../apply/target.ts'
import { type Context, textOf } from '../command.ts'
import { showContext } from '../context/secret-check.ts'
import { Failure, UsageError } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Result } from '../results/result.ts'
import { createResult, readResults, writeResult } from '../results/store.ts'
import { withinLimit } from '../spending/limit.ts'
import { formatMoney } from '../spending/money.ts'
import { lookUp } from './look-up.ts'
import type { RunOutcome } from './outcome.ts'
import { priceOf, priceText, quoteLines, type TaskPrice, whyNotStartable } from './price.ts'
import { isKeyKnown } from './recovery.ts'
import { costText, resultJson, resultLines } from './result-view.ts'
import { readTask, type Task } from './task.ts'
import { sendWithProgress } from './watch.ts'

/** How long to wait for the outcome after Ctrl-C. */
const LOOK_MS = 10_000

export async function runTask(context: Context, isLoop: boolean): Promise<void> {
  const { values, out, ask } = context
  const choice = applyChoiceOf(context)
  const key = keyIn(context)
  const earlier = key === undefined ? undefined : await findByKey(context, key)
  if (earlier) return continueRun(context, earlier, choice)

  // Files half written by a killed command must not be sent.
  if (context.paths.repository) await openTarget(context, false)
  const task = await readTask(context, isLoop)
  showContext(context, task.files, task.how)
  if (choice.apply !== 'never' && values['dry-run'] !== true) await checkBeforePaying(context, task, choice)
  const priced = await priceOf(context, task)
  const failure = whyNotStartable(priced)
  if (values['dry-run'] === true) {
    out.result({ ...priced.quote, files: task.files.map(({ path }) => path) }, quoteLines(priced))
    if (failure) context.endWith(EXIT.money)
    return
  }
  const lost = key === undefined ? await findLost(context, task, priced) : undefined
  if (lost) return continueIfAgreed(context, lost, priced, choice)
  if (failure) throw failure
  const money = (minor: bigint) => formatMoney(minor, priced.currency)
  out.note(`This costs ${priceText(priced)}. Balance ${money(priced.quote.balanceMinor)}.`)
  // With --quiet only the question is shown.
  if (!(await ask.yes(`Run it for at most ${money(priced.maxMinor)}?`)))
    throw new Failure('not_agreed', 'Nothing was sent.', { exit: EXIT.cancelled })
  // Recorded before it is sent, so that it can always be looked up by its key.
  const result = await createResult(context.paths, draftOf(context, task, priced, key))
  await showOutcome(context, await waitForOutcome(context, result, false), choice)
}

/** Checks whether the edits can be applied: an error with --apply, otherwise a warning before the quote. */
async function checkBeforePaying(context: Context, { files }: Task, { apply }: ApplyChoice): Promise<void> {
  const paths = files.map(({ path }) => path)
  try {
    await checkApplicable(context, applyOptionsIn(context.values), paths)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (apply === 'now')
      throw new Failure(error.code, `Nothing was sent or charged. ${error.message}`, {
        exit: error.exit,
        ...(error.next !== undefined && { next: error.next }),
      })
    if (context.ask.isPossible)
      context.out.warn(`The edits could be stored, but not applied here: ${error.message}`)
  }
}

/** The same prompt and files whose outcome was lost: one request, charged once. */
async function continueIfAgreed(
  context: Context,
  lost: Result,
  priced: TaskPrice,
  choice: ApplyChoice,
): Promise<void> {
  const { out, ask } = context
  const shownMinor = lost.order.maxMinor
  const most = formatMoney(shownMinor, priced.currency)
  withinLimit(context, { leastMinor: shownMinor, maxMinor: shownMinor }, priced.currency)
  out.note(
    `This was sent before as ${lost.id} and its outcome is unknown. Continuing it; it is charged once.`,
  )
  if (!(await ask.yes(`Continue ${lost.id} for at most ${most}, as before?`)))
    throw new Failure('not_agreed', 'Nothing was sent.', {
      exit: EXIT.cancelled,
      next: `To run it as a new request, first remove the old one with "cowrie runs rm ${lost.id}".`,
    })
  await showOutcome(context, await waitForOutcome(context, lost, true), choice)
}

/** Waits for the outcome of a result that was sent before, then shows it. */
async function continueRun(context: Context, result: Result, choice: ApplyChoice): Promise<void> {
  if (result.state !== 'sent') return showOutcome(context, { result, balanceMinor: null }, choice)
  await checkPayer(context, result)
  await showOutcome(context, await waitForOutcome(context, result, true), choice)
}

/** Whether the caller is the payer: for another payer the same call would be a new one. */
export async function checkPayer({ client, signal }: Context, { id, payer }: Result): Promise<void> {
  const { userId, orgId } = await client.me.get({ signal })
  if (userId === payer.userId && orgId === payer.orgId) return
  throw new Failure(
    'other_payer',
    `${id} was sent ${userId === payer.userId ? 'for another organisation' : 'by another user'}.`,
    {
      exit: EXIT.notAllowed,
      next: `Use the key it was sent with, for example with --org ${payer.orgId}.`,
    },
  )
}

/**
 * Sends the request and stores the reply. Throws when it was rejected or its outcome is unknown. `isAgain`: it was sent
 * before, so an access error leaves its outcome unknown.
 */
export async function waitForOutcome(
  context: Context,
  result: Result,
  isAgain: boolean,
): Promise<RunOutcome> {
  const { paths, signal } = context
  const sent = await sendWithProgress(context, result, isAgain)
  if (sent.kind === 'ended') {
    await writeResult(paths, sent.ended.result)
    return sent.ended
  }
  if (sent.kind === 'refused') {
    await writeResult(paths, { ...result, state: 'failed', reason: sent.error.code })
    throw sent.error
  }
  // After Ctrl-C the outcome is still looked up, for a short time.
  const looking = signal?.aborted ? { ...context, signal: AbortSignal.timeout(LOOK_MS) } : context
  const found = await lookUp(looking, result).catch(() => null)
  if (found && found !== 'running') {
    await writeResult(paths, found.result)
    return found
  }
  throw outcomeUnknown(context, result, sent.error)
}

/** Shows the result and its next steps. */
export async function showOutcome(context: Context, ended: RunOutcome, choice: ApplyChoice): Promise<void> {
  const { out, signal, values } = context
  const { result } = ended
  const isStopped = signal?.aborted === true
  const cost = costText(ended)
  out.result(resultJson(ended), [
    ...resultLines(result, { withDiff: values.diff === true }),
    ...(cost === undefined ? [] : [cost]),
  ])
  if (isStopped) return context.endWith(EXIT.cancelled)
  if (result.state === 'failed') return context.endWith(EXIT.failed)
  if (result.kind === 'loop' && result.verified !== true) context.endWith(EXIT.unverified)
  if (result.edits.length === 0 || choice.apply === 'never') return
  if (choice.apply === 'ask' && !context.ask.isPossible) {
    out.note(`Apply it with "cowrie apply ${result.id}". Free.`)
    return
  }
  const options = applyOptionsIn(context.values)
  const yes = options.yes || choice.apply === 'now'
  await applyResult(context, result, { ...options, isDryRun: false, yes }).catch((error: unknown) => {
    throw error instanceof Failure ? withApplyHint(error, result) : error
  })
}

/** The answer is paid and stored: how to apply it once the problem is fixed. */
const withApplyHint = (error: Failure, { id }: Result): Failure =>
  new Failure(error.code, error.message, {
    exit: error.exit,
    next: `${error.next === undefined ? '' : `${error.next} `}The edits are stored. Apply them with "cowrie apply ${id}". Free.`,
  })

export type ApplyChoice = { readonly apply: 'ask' | 'now' | 'never' }

export function applyChoiceOf({ values, config, out }: Context): ApplyChoice {
  if (values.apply === true && values['no-apply'] === true)
    throw new UsageError('--apply cannot be combined with --no-apply.')
  if (values.apply === true) return { apply: 'now' }
  if (values['no-apply'] === true || config.apply === 'never') return { apply: 'never' }
  return { apply: config.apply === 'auto' && !out.json ? 'now' : 'ask' }
}

function draftOf(
  context: Context,
  task: Task,
  priced: TaskPrice,
  key: string | undefined,
): Omit<Result, 'id'> {
  const { symbol, minorUnit } = priced.currency
  const { loop } = task
  return {
    kind: loop ? 'loop' : 'run',
    baseUrl: context.baseUrl,
    payer: priced.payer,
    idempotencyKey: key ?? `cli_${randomBytes(16).toString('hex')}`,
    runId: null,
    root: context.paths.repository?.root ?? context.paths.cwd,
    prompt: task.prompt,
    order: {
      ...(task.repo !== undefined && { repo: task.repo }),
      frontier: task.frontier,
      ...(task.allowSecrets && { allowSecrets: true }),
      maxMinor: priced.maxMinor,
      loop: loop && { ...loop, maxIters: priced.quote.iterations },
    },
    createdAt: context.machine.now().toISOString(),
    state: 'sent',
    reason: null,
    sent: task.files,
    edits: [],
    summary: '',
    warnings: [],
    verified: null,
    costMinor: null,
    currency: { symbol, minorUnit },
    appliedAt: null,
  }
}

function keyIn({ values }: Context): string | undefined {
  const key = textOf(values, 'idempotency-key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new UsageError('--idempotency-key must be 1 to 255 visible ASCII characters.')
  return key
}

/** The stored result of the same idempotency key. */
async function findByKey({ paths, baseUrl }: Context, key: string): Promise<Result | undefined> {
  for (const stored of await readResults(paths))
    if (stored.state !== 'damaged' && stored.idempotencyKey === key && stored.baseUrl === baseUrl)
      return stored
  return undefined
}

/** An earlier request of the same command with an unknown outcome. */
async function findLost(context: Context, task: Task, priced: TaskPrice): Promise<Result | undefined> {
  const wanted = intentIn(draftOf(context, task, priced, undefined))
  for (const stored of await readResults(context.paths))
    if (stored.state === 'sent' && isKeyKnown(stored, context.machine.now()) && intentIn(stored) === wanted)
      return stored
  return undefined
}

const intentIn = ({ kind, baseUrl, payer, root, prompt, order, sent }: Omit<Result, 'id'>): string =>
  toJson([
    kind,
    baseUrl,
    payer.userId,
    payer.orgId,
    root,
    prompt,
    order.repo,
    order.frontier,
    order.allowSecrets === true,
    order.loop,
    sent,
  ])

const outcomeUnknown = ({ signal }: Context, { id }: Result, { status, message }: CowrieError): Failure =>
  new Failure(
    'outcome_unknown',
    `${status >= 400 ? `${message} ` : ''}The outcome of this run is not known yet. It is charged at most once.`,
    {
      exit: signal?.aborted ? EXIT.cancelled : EXIT.pending,
      next: `Check it with "cowrie runs show ${id}".`,
    },
  )
