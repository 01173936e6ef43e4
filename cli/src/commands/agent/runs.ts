// cowrie runs: results stored on this computer. The outcome of unfinished ones is looked up.

import { lookUp } from '../../agent/look-up.ts'
import { isKeyKnown } from '../../agent/recovery.ts'
import { resultJson } from '../../agent/result-view.ts'
import { checkPayer, showOutcome, waitForOutcome } from '../../agent/run.ts'
import { type Command, type Context, textOf } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Result } from '../../results/result.ts'
import {
  type DamagedResult,
  readResult,
  readResults,
  removeResult,
  writeResult,
} from '../../results/store.ts'
import { formatMoney } from '../../spending/money.ts'
import { bold, dim, green, type Line, red, yellow } from '../../terminal/line.ts'
import { pad, truncate } from '../../terminal/width.ts'

const LIMIT_DEFAULT = 20

const list: Command = {
  name: 'runs list',
  summary: 'List the results stored here, newest first.',
  args: { min: 0, max: 0 },
  options: { limit: { type: 'string', placeholder: '<n>', summary: 'How many to show. Default: 20.' } },
  async run({ paths, values, out }) {
    const results = await readResults(paths, limitIn(textOf(values, 'limit')))
    const width = out.width
    out.result(
      results.map((each) =>
        each.state === 'damaged' ? each : resultJson({ result: each, balanceMinor: null }),
      ),
      results.length === 0
        ? ['No results yet. Each repository has its own.']
        : results.map((each) => lineOf(each, width)),
    )
  },
}

const show: Command = {
  name: 'runs show',
  usage: '<id>',
  summary: 'Show a result, and look up an unknown outcome. "last" is the newest.',
  args: { min: 1, max: 1 },
  options: { diff: { type: 'boolean', summary: 'Show the changes.' } },
  complete: 'results',
  async run(context) {
    const result = await readResult(context.paths, context.args[0] ?? '')
    const ended = result.state === 'sent' ? await recover(context, result) : { result, balanceMinor: null }
    await showOutcome(context, ended, { apply: 'never' })
  },
}

const rm: Command = {
  name: 'runs rm',
  usage: '<id>',
  summary: 'Remove a result from this computer.',
  args: { min: 1, max: 1 },
  complete: 'results',
  async run({ paths, args: [name = ''], out }) {
    const id = await removeResult(paths, name)
    out.result({ id, removed: true }, [`Removed ${id}.`])
  },
}

export const runs: readonly Command[] = [list, show, rm]

/** First looks up the outcome, which starts nothing. Then, if the user agrees, sends the request again with its key. */
async function recover(context: Context, result: Result) {
  const { paths, baseUrl, ask, machine } = context
  if (result.baseUrl !== baseUrl)
    throw new Failure('other_service', `${result.id} was sent to ${result.baseUrl}.`, {
      next: `Look it up there: cowrie runs show ${result.id} --base-url ${result.baseUrl}`,
    })
  await checkPayer(context, result)
  const found = await lookUp(context, result)
  if (found === 'running')
    throw new Failure('still_running', 'It is still in progress.', {
      exit: EXIT.pending,
      next: `Check again with "cowrie runs show ${result.id}".`,
    })
  if (found) {
    await writeResult(paths, found.result)
    return found
  }
  if (!isKeyKnown(result, machine.now()))
    throw new Failure(
      'never_begun',
      'The service has no such run: it did not start, and nothing was charged.',
      {
        next: `Remove it with "cowrie runs rm ${result.id}".`,
      },
    )
  const { maxMinor } = result.order
  const most = result.currency ? formatMoney(maxMinor, result.currency) : String(maxMinor)
  if (!(await ask.yes(`The service has no such run yet. Send it again, for at most ${most} as before?`)))
    throw new Failure('not_agreed', 'Nothing was sent.', { exit: EXIT.cancelled })
  return waitForOutcome(context, result, true)
}

function lineOf(each: Result | DamagedResult, width: number): Line {
  if (each.state === 'damaged') return [bold(each.id), '  ', red('damaged'), dim('  unreadable')]
  const { id, createdAt, state, kind, costMinor, currency, appliedAt } = each
  const cost = costMinor === null || currency === null ? '' : formatMoney(costMinor, currency)
  const word = stateWord(each)
  const facts = `  ${createdAt.slice(0, 16).replace('T', ' ')}  ${pad(kind, 4)}  `
  const rest = `  ${cost}${appliedAt === null ? '' : '  applied'}`
  const left = width - id.length - facts.length - word.length - rest.length - 2
  return [
    bold(id),
    dim(facts),
    state === 'sent' ? yellow(word) : state === 'failed' ? red(word) : green(word),
    rest,
    ...(left > 12 ? [`  ${truncate(each.prompt.replace(/\s+/g, ' '), left)}`] : []),
  ]
}

function stateWord({ state, kind, verified }: Result): string {
  if (state === 'sent') return 'not known'
  if (state === 'partial') return 'stopped'
  if (state === 'done' && kind === 'loop') return verified ? 'verified' : 'not verified'
  return state
}

function limitIn(text: string | undefined): number {
  if (text === undefined) return LIMIT_DEFAULT
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new UsageError('--limit must be a number from 1 to 999.')
  return Number(text)
}
