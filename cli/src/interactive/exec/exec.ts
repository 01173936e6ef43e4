// `cowrie exec`: one message to the agent without questions, for scripts and CI.

import { CowrieError } from '@cowrie/sdk'
import { type Context, textOf, textsOf } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT, exitCodeOf } from '../../exit-codes.ts'
import type { Decide, NewTurn, TurnOutcome } from '../../session/types.ts'
import { type Wallet, walletOf } from '../../spending/limit.ts'
import { formatMoney, maxCostOf, parseMoney } from '../../spending/money.ts'
import { render } from '../../terminal/line.ts'
import { openApprovals, type Rule } from '../approvals.ts'
import { approveMode } from '../approve-mode.ts'
import { type Attachment, attachFile, attachImage } from '../attachments.ts'
import { openFirstKnown, openTurnsFirst } from '../first-known.ts'
import { tooLittleLeft, withAmounts } from '../least-budget.ts'
import { openWork } from '../open-work.ts'
import { findRoot, hashOf, type WorkRoot } from '../root.ts'
import { accountOf, pageOf, type Work } from '../work.ts'
import type { DeclinedLine } from './lines.ts'
import { type Execution, showResult } from './result.ts'
import { type ExecView, openExecView } from './view.ts'

const PROMPT_CHARACTERS_MAX = 200_000
/** Turns that fix what `--verify` reports. */
const VERIFY_ROUNDS_MAX = 2
const VERIFY_OUTPUT_CHARACTERS = 20_000

export async function execute(context: Context): Promise<void> {
  const { values } = context
  approveMode(context)
  const folder = requireFolder(context)
  const prompt = await readPrompt(context)
  const attachments = await attachmentsOf(context, folder.root)
  const session = textOf(values, 'session')
  if (session !== undefined && values.continue === true)
    throw new UsageError('--continue and --session cannot be combined.')
  const wanted = session ?? (values.continue === true ? 'last' : null)
  await within(context, folder, wanted, async (execution) => {
    const { session: opened } = execution
    if (opened.openTurnId !== null) await runTurn(execution, null)
    const { startOutput } = execution
    const facts = startOutput === '' ? '' : `\n\n[A hook of the user says: ${startOutput}]`
    await newTurn(execution, prompt + facts, attachments)
    await showResult(execution, await verify(execution))
  })
}

/** `cowrie resume` without a terminal. */
export async function finishOpenTurn(context: Context, wanted: string | 'last'): Promise<void> {
  await within(context, requireFolder(context), wanted, async (execution) => {
    if (execution.session.openTurnId === null) {
      context.out.result({ taskId: execution.session.taskId, openTurnId: null }, [
        'The session has no open turn.',
      ])
      return
    }
    await runTurn(execution, null)
    await showResult(execution, null)
  })
}

async function within(
  context: Context,
  folder: WorkRoot,
  wanted: string | 'last' | null,
  work: (execution: Execution) => Promise<void>,
): Promise<void> {
  const { out, values, config } = context
  const toolNotes: string[] = []
  const opened = openWork(context, {
    folder,
    key: null,
    ask: async () => false,
    print: (lines) => {
      toolNotes.push(...lines.map((line) => render(line, false)))
      for (const line of lines) out.note(line)
    },
  })
  try {
    const wallet = await walletOf({ client: opened.client, signal: context.signal })
    const budgetMinor = budgetOf(context, wallet)
    const model = textOf(values, 'model') ?? config.model ?? config.lane ?? null
    const open = (taskId: string | null) =>
      opened.open({
        taskId,
        model,
        budgetMinor,
        currency: wallet.currency.code,
        account: accountOf(wallet),
      })
    const { session, toolbox, startOutput, afterTurn } = await (wanted === 'last'
      ? openLast(opened, open)
      : open(wanted))
    try {
      if (wanted !== null && isBudgetGiven(context) && budgetMinor !== null)
        await session.setBudget(budgetMinor).catch((error: unknown) => {
          throw withAmounts(error, session, wallet.currency, '--budget')
        })
      for (const notice of session.notices) out.warn(notice)
      const view = openExecView(out, opened.isDataSaver)
      const declined: Omit<DeclinedLine, 'kind'>[] = []
      view.line({
        kind: 'session',
        taskId: session.taskId,
        root: folder.root,
        approve: approveMode(context),
        mode: modeOf(context),
        budgetMinor: session.meter.budgetMinor,
        currency: wallet.currency.code,
        url: pageOf(opened.baseUrl, session.taskId),
      })
      for (const detail of toolNotes) view.line({ kind: 'note', note: 'tools', detail })
      await work({
        context,
        work: opened,
        wallet,
        session,
        toolbox,
        view,
        decide: await rulesOf(context, folder, declined, view),
        declined,
        outcomes: [],
        startOutput,
        afterTurn,
      })
    } finally {
      await session.close()
      await toolbox.close()
    }
  } finally {
    await opened.close()
  }
}

async function openLast<T>(work: Work, open: (taskId: string) => Promise<T>): Promise<T> {
  const stored = openTurnsFirst(await work.stored()).map(({ taskId }) => taskId)
  const found = await openFirstKnown(work, stored, open)
  if (found === null)
    throw new Failure('no_session', 'There is no earlier session of this folder.', {
      next: 'Start one with "cowrie exec".',
    })
  return found
}

/** Rules instead of questions: a call that would need one is declined, and the model gets the reason. */
async function rulesOf(
  context: Context,
  folder: WorkRoot,
  declined: Omit<DeclinedLine, 'kind'>[],
  view: ExecView,
): Promise<Decide> {
  const { matchesPatterns } = await import('../../tools/commands/command-rules.ts')
  // Named on the command line, so it also holds where there is no sandbox.
  const allowed = textsOf(context.values, 'allow').flatMap((pattern) =>
    (['command', 'outside', 'tool'] as const).map((about): Rule => ({ about, pattern })),
  )
  const approvals = openApprovals({
    paths: context.paths,
    rootHash: hashOf(folder.root),
    mode: approveMode(context),
    allowed,
    matches: matchesPatterns,
  })
  return async ({ callId, tool }, request) => {
    if (approvals.allows(request)) return { allow: true }
    const { about, subject } = request
    const reason = `it needs the consent of a person (${about}: ${subject}), and none can be asked now`
    declined.push({ callId, tool, about, subject, reason })
    view.line({ kind: 'declined', callId, tool, about, subject, reason })
    return { allow: false, reason }
  }
}

async function newTurn(
  execution: Execution,
  prompt: string,
  attachments: readonly Attachment[],
): Promise<TurnOutcome> {
  const { context, session, wallet, view } = execution
  const model = textOf(context.values, 'model') ?? context.config.model ?? context.config.lane ?? null
  const price = await session.price({ prompt, model })
  const money = (minor: bigint) => formatMoney(minor, wallet.currency)
  if (session.meter.budgetMinor === null) {
    await session.setBudget(price.maxMinor)
    context.out.note(`No --budget given: the session may cost at most ${money(price.maxMinor)}.`)
  }
  const { budgetMinor, spentMinor } = session.meter
  const leftMinor = budgetMinor === null ? price.maxMinor : budgetMinor - spentMinor
  const maxMinor = leftMinor < price.maxMinor ? leftMinor : price.maxMinor
  if (!price.affordable)
    throw leftMinor < price.leastMinor
      ? tooLittleLeft(session, price.leastMinor, wallet.currency, '--budget')
      : new Failure(
          'insufficient_funds',
          `Your balance is ${money(price.balanceMinor)}, which is too little for this turn.`,
          { exit: EXIT.money, next: 'Top up with "cowrie wallet topup <amount>".' },
        )
  const { usuallyMinor, balanceMinor } = price
  view.line({ kind: 'price', model: price.model, maxMinor, usuallyMinor, balanceMinor })
  context.out.note(
    `${usuallyMinor ? `Usually ${money(usuallyMinor.p50)}–${money(usuallyMinor.p90)}, at` : 'At'} most ${money(maxMinor)}.`,
  )
  return runTurn(execution, {
    prompt,
    attachments,
    mode: modeOf(context),
    model,
    verify: null,
    compact: false,
    maxMinor,
  })
}

async function runTurn(execution: Execution, turn: NewTurn | null): Promise<TurnOutcome> {
  const { context, session, view, decide, outcomes } = execution
  try {
    const outcome = await session.runTurn(turn, {
      decide,
      onEvent: (event) => view.event(event),
      signal: context.signal ?? new AbortController().signal,
    })
    outcomes.push(outcome)
    const objection = await execution.afterTurn(outcome)
    if (objection !== null) context.out.warn(`A hook objects: ${objection}`)
    return outcome
  } catch (error) {
    if (error instanceof CowrieError && exitCodeOf(error) === EXIT.network)
      throw new Failure(error.code, error.message, {
        exit: EXIT.network,
        next: `The session is kept. ${RESUME}`,
      })
    throw withAmounts(error, session, execution.wallet.currency, '--budget')
  } finally {
    view.end()
  }
}

const RESUME = 'Continue it with "cowrie resume".'

/** Runs the command of `--verify` here, and lets the model fix what fails. Null without the option. */
async function verify(execution: Execution): Promise<boolean | null> {
  const { context, toolbox, view, outcomes } = execution
  const command = textOf(context.values, 'verify')
  if (command === undefined) return null
  for (let round = 1; ; round++) {
    const outcome = outcomes.at(-1)
    if (outcome?.stopReason !== 'completed' || context.signal?.aborted) return false
    const call = {
      callId: `verify_${outcome.turnId}_${round}`,
      turnId: outcome.turnId,
      tool: 'run',
      input: { command },
    }
    context.out.note(`Verifying: ${command}`)
    const report = await toolbox.run(call, { signal: context.signal ?? new AbortController().signal })
    const output = report.output.slice(-VERIFY_OUTPUT_CHARACTERS)
    view.line({ kind: 'verification', command, passed: report.ok, round, output })
    if (report.ok || round > VERIFY_ROUNDS_MAX) return report.ok
    context.out.note('It fails; the agent tries to fix it.')
    await newTurn(execution, `The command "${command}" fails. Fix the cause.\n\n${output}`, [])
  }
}

function requireFolder({ paths, env, values }: Context): WorkRoot {
  const folder = findRoot(paths, env)
  if (folder.kind === 'broad')
    throw new Failure('no_project', `${folder.root} is not a project: it contains your home folder.`, {
      next: 'Change to the folder of your project.',
    })
  if (folder.kind === 'folder' && values['no-git'] !== true)
    throw new Failure('no_repository', 'This is not a git repository.', {
      next: 'Change to one, or use --no-git to work in this folder.',
    })
  return folder
}

const modeOf = ({ values }: Context): NewTurn['mode'] => (values.plan === true ? 'plan' : 'work')

const isBudgetGiven = ({ values }: Context): boolean =>
  values.budget !== undefined || values['max-cost'] !== undefined

function budgetOf({ values, config }: Context, { currency }: Wallet): bigint | null {
  const given = textOf(values, 'budget')
  if (given !== undefined) return parseMoney(given, currency, '--budget')
  const limit = maxCostOf({ values, config }, currency)
  if (values['max-cost'] !== undefined && limit !== undefined) return limit
  if (config.budget !== undefined) return parseMoney(config.budget, currency, 'The setting budget')
  return limit ?? null
}

async function readPrompt({ args: [given], machine, signal }: Context): Promise<string> {
  if (given === undefined && machine.isStdinTerminal)
    throw new UsageError('"cowrie exec" needs "<prompt>". "-" reads standard input.', 'exec')
  const prompt = given === undefined || given === '-' ? await readAll(machine.stdin(signal)) : given
  if (prompt.trim() === '') throw new UsageError('The prompt is empty.', 'exec')
  if (prompt.length > PROMPT_CHARACTERS_MAX)
    throw new Failure(
      'prompt_too_long',
      'A prompt can have at most 200,000 characters. Attach a file with -f.',
    )
  return prompt
}

async function readAll(chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.length > PROMPT_CHARACTERS_MAX) break
  }
  return text.trim()
}

async function attachmentsOf({ values, paths }: Context, root: string): Promise<Attachment[]> {
  const files = textsOf(values, 'file').map((name) => attachFile(root, paths.cwd, name))
  const images = textsOf(values, 'image').map((name) => attachImage(paths.cwd, name))
  return (await Promise.all([...files, ...images])).map((found) => {
    if ('refused' in found) throw new Failure('not_attached', found.refused)
    return found
  })
}
