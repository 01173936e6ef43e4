// One message of the user: its price, the turn, and what it did.
import type { NewTurn, Session, TurnOutcome } from '../session/types.ts'
import { parseMoney } from '../spending/money.ts'
import { dim, green, type Line, yellow } from '../terminal/line.ts'
import { askingDecide } from './ask-approval.ts'
import { attachmentsIn } from './attachments.ts'
import { agreeOnPrice, requireBudget } from './budget.ts'
import { rowsOf, totalsOf } from './changes.ts'
import { showError } from './show-error.ts'
import { STOP_REASONS } from './stop-reasons.ts'
import type { TerminalSession } from './terminal-session.ts'
import { openTurnView } from './turn-view.ts'
import { sizeText } from './units.ts'

const CARRY_OUT = 'Carry out the plan.'

export async function takeMessage(
  terminal: TerminalSession,
  text: string,
  mode: NewTurn['mode'],
): Promise<void> {
  const { screen } = terminal
  const outcome = await screen.during(async (signal) => {
    try {
      return await start(terminal, text, mode, signal)
    } catch (error) {
      screen.setActivity(null)
      if (signal.aborted) screen.print([[dim('Cancelled.')]])
      else showError(terminal, await terminal.withAmounts(error))
      terminal.draft = draftOf(terminal, text, mode)
      return null
    }
  })
  if (outcome?.stopReason === 'completed' && mode === 'plan') await offerToCarryOut(terminal)
}

/** Continues a turn that an earlier process or another device started. */
export async function continueTurn(terminal: TerminalSession, session: Session): Promise<void> {
  await terminal.screen.during(async (signal) => {
    try {
      await run(terminal, session, null, signal)
    } catch (error) {
      if (!signal.aborted) showError(terminal, error)
    }
  })
}

async function start(
  terminal: TerminalSession,
  text: string,
  mode: NewTurn['mode'],
  signal: AbortSignal,
): Promise<TurnOutcome | null> {
  const { screen, work } = terminal
  const attached = await attachmentsIn(text, work.root)
  screen.print(attached.notes.map((note): Line => [dim(note)]))
  screen.setActivity('Connecting')
  const session = await openOr(terminal, signal)
  const sent = [...terminal.facts]
  // The message comes first: its first line is the title of a new session.
  const prompt = [text, ...sent].join('\n\n')
  for (;;) {
    const price = await unlessAborted(session.price({ prompt, model: terminal.model }), signal)
    screen.setActivity(null)
    const isReady = await requireBudget(terminal, session, price, signal)
    const consent = isReady ? await agreeOnPrice(terminal, session, price, signal) : null
    if (consent === null) {
      screen.print([[dim('Nothing was sent or charged.')]])
      terminal.draft = draftOf(terminal, text, mode)
      return null
    }
    if (consent.kind === 'again') continue
    const turn: NewTurn = {
      prompt,
      attachments: [...terminal.attachments, ...attached.attachments],
      mode,
      model: terminal.model,
      verify: null,
      compact: terminal.isCompacting,
      maxMinor: consent.maxMinor,
    }
    const outcome = await run(terminal, session, turn, signal)
    terminal.facts = terminal.facts.slice(sent.length)
    terminal.attachments = []
    terminal.isCompacting = false
    return outcome
  }
}

/** A message for a plan must not come back as one that may change files. */
const draftOf = ({ isPlanning }: TerminalSession, text: string, mode: NewTurn['mode']): string =>
  mode === 'plan' && !isPlanning ? `/plan ${text}` : text

/** The open session, or a new one. If the user stops waiting, the next message takes it. */
async function openOr(terminal: TerminalSession, signal: AbortSignal): Promise<Session> {
  const currency = await unlessAborted(terminal.currency(), signal)
  if (terminal.open) return terminal.open.session
  const budgetMinor = terminal.budget === null ? null : parseMoney(terminal.budget, currency, 'The budget')
  const { session } = await unlessAborted(terminal.openNew(budgetMinor), signal)
  terminal.showStatus()
  return session
}

/** Follows a turn until it has ended. The signal stops the turn. */
export async function run(
  terminal: TerminalSession,
  session: Session,
  turn: NewTurn | null,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const { screen, work, approvals } = terminal
  const before = work.bytes()
  let tokens = 0
  const stopped = new AbortController()
  const ending = AbortSignal.any([signal, stopped.signal])
  ending.addEventListener('abort', () => screen.setActivity('Stopping'), { once: true })
  const view = openTurnView(screen, {
    isDataSaver: work.isDataSaver,
    onMeter: (meter) => terminal.showStatus(meter),
  })
  try {
    const outcome = await session.runTurn(turn, {
      decide: askingDecide(screen, approvals, {
        stop: () => stopped.abort(),
        onMode: () => terminal.showStatus(),
      }),
      onEvent(event) {
        if (event.kind === 'meter') tokens += event.tokens ?? 0
        view.show(event)
      },
      signal: ending,
    })
    view.end()
    const { up, down } = work.bytes()
    const record = {
      prompt: turn?.prompt ?? '',
      outcome,
      tokens,
      bytesUp: up - before.up,
      bytesDown: down - before.down,
    }
    terminal.turns.push(record)
    screen.print(await endLines(terminal, record))
    terminal.showStatus()
    const objection = await terminal.open?.afterTurn(outcome)
    if (objection) {
      screen.print([[yellow('A hook objects: '), objection]])
      terminal.facts.push(`[A hook of the user says: ${objection}]`)
    }
    return outcome
  } finally {
    view.end()
  }
}

/** Changes, withheld content and cost of the turn. */
async function endLines(
  terminal: TerminalSession,
  record: TerminalSession['turns'][number],
): Promise<Line[]> {
  const { outcome, bytesUp, bytesDown } = record
  const meter = terminal.open?.session.meter
  const changes = (await terminal.open?.toolbox.changes()) ?? []
  const totals = totalsOf(changes.filter(({ turnId }) => turnId === outcome.turnId))
  const lines: Line[] = []
  const reason = STOP_REASONS[outcome.stopReason]
  if (reason !== undefined) lines.push([yellow(reason)])
  lines.push(...rowsOf(totals))
  if (outcome.withheld.length > 0)
    lines.push([
      yellow(
        `Kept from the model: ${outcome.withheld.map(({ path, reason }) => `${path} (${reason})`).join(', ')}.`,
      ),
    ])
  const budget = meter?.budgetMinor ?? null
  const cost = [
    `Cost ${terminal.money(outcome.spentMinor)}`,
    ...(meter && budget !== null ? [`${terminal.money(meter.spentMinor)} of ${terminal.money(budget)}`] : []),
    `↑ ${sizeText(bytesUp)} ↓ ${sizeText(bytesDown)}`,
    ...(totals.length > 0 ? ['/undo takes the changes back'] : []),
  ]
  return [...lines, [dim(cost.join(' · '))]]
}

async function offerToCarryOut(terminal: TerminalSession): Promise<void> {
  const { screen, approvals } = terminal
  const chosen = await screen.choose<'yes' | 'edits' | 'no'>({
    title: [green('Carry out this plan?')],
    choices: [
      { key: 'y', label: 'yes', value: 'yes' },
      { key: 'e', label: 'yes, without asking about edits', value: 'edits' },
      { key: 'n', label: 'no, continue planning', value: 'no' },
    ],
    usual: 'no',
  })
  if (chosen === null || chosen === 'no') return
  if (chosen === 'edits' && approvals.mode === 'ask') approvals.setMode('edits')
  terminal.isPlanning = false
  terminal.showStatus()
  await takeMessage(terminal, CARRY_OUT, 'work')
}

/** Stops waiting at once. The call itself may still finish. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
