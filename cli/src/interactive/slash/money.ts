// /cost, /budget and /model
import { UsageError } from '../../errors.ts'
import { type AvailableModel, availableModels } from '../../models/available.ts'
import { formatMoney, parseMoney } from '../../spending/money.ts'
import { dim, type Line } from '../../terminal/line.ts'
import { table } from '../../terminal/table.ts'
import { leftOf } from '../budget.ts'
import type { TerminalSession } from '../terminal-session.ts'
import { sizeText } from '../units.ts'
import type { SlashCommand } from './command.ts'

const PROMPT_CHARACTERS = 32

export const cost: SlashCommand = {
  name: 'cost',
  summary: 'Show the cost, the tokens and the data of each turn.',
  isAtOnce: true,
  async run(terminal) {
    const { screen, open, work } = terminal
    await terminal.currency()
    const rows = terminal.turns.map(({ prompt, outcome, tokens, bytesUp, bytesDown }, index) => [
      String(index + 1),
      shortened(prompt),
      terminal.money(outcome.spentMinor),
      tokens.toLocaleString('en'),
      sizeText(bytesUp),
      sizeText(bytesDown),
    ])
    screen.print(table(COST_COLUMNS, rows, screen.columns() - 1))
    const { up, down } = work.bytes()
    const meter = open?.session.meter
    const left = open ? leftOf(open.session) : null
    screen.print([
      [
        `This session: ${terminal.money(meter?.spentMinor ?? 0n)}`,
        ...(meter?.budgetMinor != null ? [` of ${terminal.money(meter.budgetMinor)}`] : []),
        ...(left === null ? [] : [`, ${terminal.money(left)} left`]),
        `. Data since the start: ↑ ${sizeText(up)} ↓ ${sizeText(down)}.`,
      ],
    ])
    return undefined
  },
}

const COST_COLUMNS = [
  { title: 'turn', right: true },
  { title: 'message' },
  { title: 'cost', right: true },
  { title: 'tokens', right: true },
  { title: 'sent', right: true },
  { title: 'received', right: true },
]

export const budget: SlashCommand = {
  name: 'budget',
  usage: '[amount]',
  summary: 'Show or change what this session may cost at most.',
  async run(terminal, rest) {
    const { screen, open } = terminal
    const currency = await terminal.currency()
    if (rest !== '') {
      const minor = parseMoney(rest, currency, 'The budget')
      terminal.budget = rest
      if (open) await open.session.setBudget(minor)
    }
    const budgetMinor = open?.session.meter.budgetMinor
    if (open && budgetMinor != null)
      screen.print([
        `${terminal.money(open.session.meter.spentMinor)} of ${terminal.money(budgetMinor)} spent, ${terminal.money(leftOf(open.session) ?? 0n)} left.`,
      ])
    else if (terminal.budget !== null)
      screen.print([
        `The budget of the session will be ${terminal.money(parseMoney(terminal.budget, currency, 'The budget'))}.`,
      ])
    else screen.print(['This session has no budget yet. You are asked before the first turn.'])
    terminal.showStatus()
    return undefined
  },
}

const LANES: readonly (readonly [string, string])[] = [
  ['auto', 'chosen by the service for each turn'],
  ['open', 'open models, which cost less'],
  ['frontier', 'the strongest models'],
]

export const model: SlashCommand = {
  name: 'model',
  usage: '[name]',
  summary: 'Choose the model of the next turns.',
  async run(terminal, rest) {
    const chosen = rest === '' ? await chooseModel(terminal) : await named(terminal, rest)
    if (chosen === null) return undefined
    terminal.model = chosen === 'auto' ? null : chosen
    terminal.screen.print([`The next turns use ${chosen}.`])
    terminal.showStatus()
    return undefined
  },
}

async function named(terminal: TerminalSession, name: string): Promise<string> {
  if (LANES.some(([lane]) => lane === name)) return name
  const models = await availableModels(terminal.work.client)
  if (models.some(({ id }) => id === name)) return name
  throw new UsageError(`There is no model "${name}". /model lists them.`)
}

async function chooseModel(terminal: TerminalSession): Promise<string | null> {
  const currency = await terminal.currency()
  const models = await availableModels(terminal.work.client)
  const price = (minor: number) => formatMoney(BigInt(minor), currency)
  const row = ({ id, title, price: { input, output } }: AvailableModel) => ({
    value: id,
    label: `${id}  ${title === id ? '' : `${title}, `}${price(input)} in, ${price(output)} out`,
  })
  const options = [
    ...LANES.map(([name, summary]) => ({ value: name, label: `${name}  ${summary}` })),
    ...models.filter(({ id }) => !LANES.some(([lane]) => lane === id)).map(row),
  ]
  const body: Line[] = [[dim('Prices are for a million tokens.')]]
  return terminal.screen.choose({
    title: 'Which model?',
    body,
    choices: options.map((option, index) => ({ key: String(index + 1), ...option })),
    usual: terminal.model ?? 'auto',
  })
}

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > PROMPT_CHARACTERS ? `${line.slice(0, PROMPT_CHARACTERS - 1)}…` : line
}
