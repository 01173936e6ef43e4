// Money before a turn: the budget of the session, and the question when a turn may pass it.
import { UsageError } from '../errors.ts'
import type { Session, TurnPrice } from '../session/types.ts'
import { parseMoney } from '../spending/money.ts'
import { bold, dim, type Line } from '../terminal/line.ts'
import type { TerminalSession } from './terminal-session.ts'

/** `again`: the budget or the model changed, so the price is asked again. Null: the user cancelled. */
export type Consent =
  | { readonly kind: 'agreed'; readonly maxMinor: bigint }
  | { readonly kind: 'again' }
  | null

/** Asks once for the budget of a session that has none. False: the user cancelled. */
export async function requireBudget(
  terminal: TerminalSession,
  session: Session,
  price: TurnPrice,
  signal: AbortSignal,
): Promise<boolean> {
  if (session.meter.budgetMinor !== null) return true
  const figures = suggestions(price.maxMinor)
  const usual = figures[1] ?? price.maxMinor
  const chosen = await terminal.screen.choose<bigint | 'other'>(
    {
      title: [bold('What may this session cost at most?')],
      body: [[dim(`It never costs more. ${DEFAULT_HINT}`)]],
      choices: [
        ...figures.map((minor, index) => ({
          key: String(index + 1),
          label: terminal.money(minor),
          value: minor,
        })),
        { key: 'o', label: 'another amount', value: 'other' as const },
      ],
      usual,
    },
    signal,
  )
  if (chosen === null) return false
  const minor =
    chosen === 'other' ? await readAmount(terminal, 'The budget of this session:', signal) : chosen
  if (minor === null) return false
  await session.setBudget(minor)
  terminal.showStatus()
  return true
}

const DEFAULT_HINT = 'Set a default with "cowrie config set budget 500".'

/** A tenth, the half and the whole of the maximum of one turn. */
function suggestions(maxMinor: bigint): bigint[] {
  const figures = [maxMinor / 10n, maxMinor / 2n, maxMinor].filter((minor) => minor > 0n)
  return [...new Set(figures)]
}

/** An amount that the user types; null for Esc. */
export async function readAmount(
  terminal: TerminalSession,
  question: string,
  signal?: AbortSignal,
): Promise<bigint | null> {
  for (;;) {
    const typed = await terminal.screen.readLine(question, signal)
    if (typed === null || typed.trim() === '') return null
    try {
      return parseMoney(typed.trim(), await terminal.currency(), 'The budget')
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      terminal.screen.print([error.message])
    }
  }
}

/** The rest of the budget; null without one. */
export const leftOf = ({ meter: { budgetMinor, spentMinor } }: Session): bigint | null =>
  budgetMinor === null ? null : budgetMinor > spentMinor ? budgetMinor - spentMinor : 0n

/** `This turn usually costs ₦3–₦9, at most ₦40, with small-1.` */
export function priceText(
  terminal: TerminalSession,
  { usuallyMinor, model }: TurnPrice,
  maxMinor: bigint,
): string {
  const most = `at most ${terminal.money(maxMinor)}, with ${model}.`
  if (!usuallyMinor) return `This turn costs ${most}`
  const [low, high] = [usuallyMinor.p50, usuallyMinor.p90].map((minor) =>
    terminal.money(minor < maxMinor ? minor : maxMinor),
  )
  return `This turn usually costs ${low === high ? low : `${low}–${high}`}, ${most}`
}

type Answer = 'raise' | 'rest' | 'open' | 'cancel'

/** Asks if the turn may pass the budget or cannot be paid. Null: the user cancelled. */
export async function agreeOnPrice(
  terminal: TerminalSession,
  session: Session,
  price: TurnPrice,
  signal: AbortSignal,
): Promise<Consent> {
  const { screen } = terminal
  const left = leftOf(session)
  const maxMinor = left !== null && left < price.maxMinor ? left : price.maxMinor
  if (price.affordable && !price.passesBudget) {
    screen.print([[dim(priceText(terminal, price, maxMinor))]])
    return { kind: 'agreed', maxMinor }
  }
  const choices: { key: string; label: string; value: Answer }[] = []
  if (price.passesBudget) choices.push({ key: 'r', label: 'raise the budget', value: 'raise' })
  if (price.affordable)
    choices.push({
      key: 'g',
      label: `use what is left: at most ${terminal.money(maxMinor)}`,
      value: 'rest',
    })
  // Models that cost less do not help without any money.
  if (price.model !== 'open' && price.balanceMinor > 0n)
    choices.push({ key: 'l', label: 'use the open models, which cost less', value: 'open' })
  choices.push({ key: 'c', label: 'cancel', value: 'cancel' })
  const title = reasonOf(terminal, price, left)
  const chosen = await screen.choose<Answer>({ title, choices, usual: 'cancel' }, signal)
  if (chosen === 'rest') return { kind: 'agreed', maxMinor }
  if (chosen === 'open') terminal.model = 'open'
  else if (chosen !== 'raise' || !(await raiseBudget(terminal, session, price, signal))) return null
  terminal.showStatus()
  return { kind: 'again' }
}

async function raiseBudget(
  terminal: TerminalSession,
  session: Session,
  { leastMinor }: TurnPrice,
  signal: AbortSignal,
): Promise<boolean> {
  const least = terminal.money(session.meter.spentMinor + leastMinor)
  const budget = await readAmount(terminal, `The new budget of this session, at least ${least}:`, signal)
  if (budget !== null) await session.setBudget(budget)
  return budget !== null
}

function reasonOf(terminal: TerminalSession, price: TurnPrice, left: bigint | null): Line {
  if (!price.passesBudget)
    return `Your balance is ${terminal.money(price.balanceMinor)}, which is too little for this turn. Top up with "cowrie wallet topup <amount>".`
  const usual = price.usuallyMinor
    ? ` It usually costs ${terminal.money(price.usuallyMinor.p90)} or less.`
    : ''
  if (left !== null && left < price.leastMinor)
    return `${terminal.money(left)} of the budget are left, and this turn needs at least ${terminal.money(price.leastMinor)}.`
  return `${terminal.money(left ?? 0n)} of the budget are left, which may be too little for this turn.${usual}`
}
