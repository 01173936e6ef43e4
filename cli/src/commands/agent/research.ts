// cowrie research: answers questions from the web, in reports that cite their sources.
import { readFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import {
  CowrieError,
  outcomeOf,
  type ResearchConfig,
  type ResearchRun,
  type ResearchStartBody,
  type ResearchSummary,
} from '@cowrie/sdk'
import { type Command, type Context, textOf, textsOf } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { follow } from '../../research/follow.ts'
import { outcomeText, PHASES, stateLabel } from '../../research/labels.ts'
import { createProgress } from '../../research/progress.ts'
import { reportFileOf, reportOf } from '../../research/report.ts'
import { intentOf } from '../../spending/intents.ts'
import { requireConsent, walletOf, withinLimit } from '../../spending/limit.ts'
import { costLine, formatMoney } from '../../spending/money.ts'
import { writeAtomically } from '../../system/atomic-write.ts'
import { plainLines } from '../../terminal/line.ts'
import { markdownLines } from '../../terminal/markdown.ts'
import { columns } from '../../terminal/wrap.ts'

type Depth = ResearchRun['depth']
const DEPTHS: readonly Depth[] = ['quick', 'standard', 'exhaustive']
const LISTED_MAX = 50

const NO_WAIT = { type: 'boolean', summary: 'Start the run, print its id and exit with 8.' } as const
const SOURCE_OPTIONS = {
  document: {
    type: 'string',
    multiple: true,
    placeholder: '<file>',
    summary: 'Also read this text, HTML, PDF or DOCX file. Repeatable.',
  },
  repo: {
    type: 'string',
    multiple: true,
    placeholder: '<name>',
    summary: 'Also search this indexed repository. Repeatable.',
  },
  'no-web': { type: 'boolean', summary: 'Do not search the web.' },
} as const

const start: Command = {
  name: 'research start',
  usage: '<question>',
  summary: 'Research a question on the web and show the report.',
  args: { min: 1, max: 1 },
  options: {
    depth: {
      type: 'string',
      placeholder: '<depth>',
      summary: 'quick, standard or exhaustive. Default: standard.',
      complete: DEPTHS,
    },
    ...SOURCE_OPTIONS,
    ask: { type: 'boolean', summary: 'Let the run ask you back if the question is unclear.' },
    approve: { type: 'boolean', summary: 'Approve the plan before the run continues.' },
    'no-wait': NO_WAIT,
  },
  async run(context) {
    const { args, values } = context
    const [question = ''] = args
    const depth = DEPTHS.find((each) => each === (textOf(values, 'depth') ?? 'standard'))
    if (!depth) throw new UsageError(`--depth must be one of ${DEPTHS.join(', ')}.`)
    if (question.trim() === '') throw new UsageError('No question given.')
    const more = {
      ...(values.ask === true && { clarify: true }),
      ...(values.approve === true && { approvePlan: true }),
      ...(await ownSourcesOf(context)),
    }
    return watchOrEnd(context, await startRun(context, { question, depth, ...more }))
  },
}

async function ownSourcesOf({ values, paths }: Context) {
  const files = textsOf(values, 'document')
  const documents = await Promise.all(
    files.map(async (file) => ({
      name: basename(file),
      content: (await readFile(resolve(paths.cwd, file))).toString('base64'),
      encoding: 'base64' as const,
    })),
  )
  const repositories = textsOf(values, 'repo')
  return {
    ...(documents.length > 0 && { documents }),
    ...(repositories.length > 0 && { repositories }),
    ...(values['no-web'] === true && { searchWeb: false }),
  }
}

function watchOrEnd(context: Context, id: string): Promise<void> | undefined {
  const { values, out } = context
  if (values['no-wait'] !== true) return watchRun(context, id)
  out.result({ id, status: 'running' }, [id])
  out.note(`Watch it with "cowrie research watch ${id}".`)
  context.endWith(EXIT.pending)
  return undefined
}

type NewRun = Omit<ResearchStartBody, 'budgetMinor' | 'depth'> & { readonly depth: Depth }

/**
 * Returns the run's id. The price is confirmed and the call recorded before the start. With `parent`, the run follows
 * that one.
 */
async function startRun(context: Context, run: NewRun, parent?: string): Promise<string> {
  const { depth } = run
  const { client, out, signal } = context
  const wallet = await walletOf(context)
  const { currency } = wallet
  const intent = intentOf(context, wallet, 'research', parent === undefined ? run : { ...run, parent })
  const money = (minor: bigint) => formatMoney(minor, currency)
  if (intent.before) {
    const shownMinor = intent.before.maxMinor
    withinLimit(context, { leastMinor: shownMinor, maxMinor: shownMinor }, currency)
    out.note(`This was requested before, for at most ${money(shownMinor)}. It runs and is charged once.`)
  }
  const budgetMinor = intent.before?.maxMinor ?? (await price())
  const { key } = await intent.begin(budgetMinor)
  try {
    const body = { ...run, budgetMinor }
    const sent = { idempotencyKey: key, signal }
    const { id } = await (parent === undefined
      ? client.research.start(body, sent)
      : client.research.followUp(parent, body, sent))
    intent.settle()
    out.note(`Started ${id}.`)
    return id
  } catch (error) {
    intent.settleAfter(error)
    if (signal?.aborted) throw outcomeUnknown('Cancelled.', EXIT.cancelled)
    throw isOutcomeUnknown(error) ? outcomeUnknown(error.message, EXIT.pending) : error
  }

  async function price(): Promise<bigint> {
    const { depths, ...config } = await client.research.config({ signal })
    const offer = depths.find((each) => each.depth === depth)
    if (!offer || !config.available) throw unavailable(config)
    const most = withinLimit(context, offer, currency)
    await requireConsent(
      context,
      `A ${depth} run usually costs about ${money(least(offer.estimateMinor, most))} and at most ${money(most)}, within ${offer.minutesMax} minutes. Start it?`,
    )
    return most
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const isOutcomeUnknown = (error: unknown): error is CowrieError =>
  error instanceof CowrieError && outcomeOf(error) === 'unknown'

const outcomeUnknown = (why: string, exit: ExitCode): Failure =>
  new Failure('start_unknown', `${why} It is unknown whether the run started.`, {
    exit,
    next: 'Run the same command again: it runs and is charged once.',
  })

const unavailable = ({ enabled, missing }: Omit<ResearchConfig, 'depths'>): Failure =>
  new Failure(
    'research_unavailable',
    enabled ? `Research is not available here: no ${missing.join(', no ')}.` : 'Research is disabled here.',
  )

const watch: Command = {
  name: 'research watch',
  usage: '<id>',
  summary: 'Follow a run and show its report at the end. Ctrl-C stops following only.',
  args: { min: 1, max: 1 },
  complete: 'research',
  run: (context) => watchRun(context, context.args[0] ?? ''),
}

async function watchRun(context: Context, id: string): Promise<void> {
  const { client, out, signal } = context
  try {
    const { currency } = await walletOf(context)
    const { budgetMinor } = await client.research.get(id, { signal })
    const run = await follow(context, id, createProgress(out, currency, budgetMinor))
    out.endProgress()
    if (run.status !== 'completed') out.note(outcomeText(run))
    else if (!out.json) out.result(null, markdownLines((await reportOf(context, run)).trimEnd()))
    const { balanceMinor } = await walletOf(context)
    out.note(costLine({ costMinor: run.spentMinor - run.refundedMinor, balanceMinor, currency }))
    context.endWith(exitOf(run))
  } catch (error) {
    if (!signal?.aborted) throw error
    out.endProgress()
    out.note(`The run continues. Follow it with "cowrie research watch ${id}".`)
    context.endWith(EXIT.pending)
  }
}

const exitOf = ({ status }: ResearchRun) =>
  status === 'completed' ? EXIT.ok : status === 'cancelled' ? EXIT.cancelled : EXIT.failed

const show: Command = {
  name: 'research show',
  usage: '<id>',
  summary: 'Show the report of a run with its numbered sources.',
  args: { min: 1, max: 1 },
  complete: 'research',
  options: {
    markdown: { type: 'boolean', summary: 'Print the original markdown.' },
    output: {
      type: 'string',
      short: 'o',
      placeholder: '<file>',
      summary: 'Write the report to this file: .md, .pdf, .docx or .html.',
    },
  },
  async run(context) {
    const { client, args, values, out, signal, paths } = context
    const run = await client.research.get(args[0] ?? '', { signal })
    const markdown = await reportOf(context, run)
    const file = textOf(values, 'output')
    if (file !== undefined) {
      const bytes = /^\.(?:pdf|docx|html)$/.test(extname(file))
        ? await reportFileOf(context, run, extname(file).slice(1))
        : markdown
      if (bytes === null) throw new Failure('no_file', `The report has no ${extname(file)} file.`)
      await writeAtomically(resolve(paths.cwd, file), bytes, 0o644)
      out.result({ id: run.id, file }, [`Wrote ${file}.`])
    } else if (values.markdown === true && !out.json) out.raw(plainLines(markdown))
    else out.result({ run, markdown }, markdownLines(markdown.trimEnd()))
  },
}

const get: Command = {
  name: 'research get',
  usage: '<id>',
  summary: 'Show the status, cost and files of a run.',
  args: { min: 1, max: 1 },
  complete: 'research',
  async run(context) {
    const { client, args, out, signal } = context
    const run = await client.research.get(args[0] ?? '', { signal })
    const { currency } = await walletOf(context)
    out.result(run, [run.question, ...columns(rowsOf(run, (minor) => formatMoney(minor, currency)))])
  },
}

function rowsOf(run: ResearchRun, money: (minor: bigint) => string): [string, string][] {
  const read = run.sources.filter(({ status }) => status === 'read').length
  return [
    ['state', run.finishedAt === null ? `${stateLabel(run)}: ${PHASES[run.phase]}` : stateLabel(run)],
    ['depth', run.depth],
    ['cost', `${money(run.spentMinor - run.refundedMinor)} of at most ${money(run.budgetMinor)}`],
    ['sources', `${read} of ${run.sources.length} read, ${run.findings.length} findings`],
    ...(run.report?.files ?? []).map(({ name, bytes }): [string, string] => [
      'file',
      `${name}, ${bytes} bytes`,
    ]),
  ]
}

const list: Command = {
  name: 'research list',
  summary: 'List the runs you can see, newest first.',
  args: { min: 0, max: 0 },
  async run(context) {
    const { client, out, signal } = context
    const { runs, nextCursor } = await client.research.list({ limit: LISTED_MAX }, { signal })
    const { currency } = await walletOf(context)
    const rowOf = (run: ResearchSummary): [string, string] => [
      run.id,
      `${run.createdAt.slice(0, 10)}  ${stateLabel(run)}  ${formatMoney(run.spentMinor - run.refundedMinor, currency)}  ${run.question}`,
    ]
    out.result({ runs, nextCursor }, runs.length > 0 ? columns(runs.map(rowOf)) : ['There are no runs.'])
    if (nextCursor !== null) out.note(`Showing only the newest ${runs.length}.`)
  },
}

const cancel: Command = {
  name: 'research cancel',
  usage: '<id>',
  summary: 'Cancel a run. No further step starts.',
  args: { min: 1, max: 1 },
  complete: 'research',
  async run({ client, args: [id = ''], out, signal }) {
    const run = await client.research.cancel(id, {}, { signal })
    out.result(run, [
      run.finishedAt === null ? `${id} stops after the step in progress.` : `${id} is cancelled.`,
    ])
  },
}

const followUp: Command = {
  name: 'research follow-up',
  usage: '<id> <question>',
  summary: 'Ask a further question about a finished run.',
  args: { min: 2, max: 2 },
  complete: 'research',
  options: { ...SOURCE_OPTIONS, 'no-wait': NO_WAIT },
  async run(context) {
    const [parent = '', question = ''] = context.args
    const run = { question, depth: 'quick' as const, ...(await ownSourcesOf(context)) }
    return watchOrEnd(context, await startRun(context, run, parent))
  },
}

const answer: Command = {
  name: 'research answer',
  usage: '<id> <text>',
  summary: 'Answer the question of a run, and follow it.',
  args: { min: 2, max: 2 },
  complete: 'research',
  options: { 'no-wait': NO_WAIT },
  async run(context) {
    const [id = '', text = ''] = context.args
    await context.client.research.answer(id, { answer: text }, { signal: context.signal })
    return watchOrEnd(context, id)
  },
}

const approve: Command = {
  name: 'research approve',
  usage: '<id>',
  summary: 'Approve the plan of a run, and follow it.',
  args: { min: 1, max: 1 },
  complete: 'research',
  options: {
    question: {
      type: 'string',
      multiple: true,
      placeholder: '<text>',
      summary: 'Replace the plan by these questions. Repeatable.',
    },
    'no-wait': NO_WAIT,
  },
  async run(context) {
    const [id = ''] = context.args
    const subquestions = textsOf(context.values, 'question')
    await context.client.research.plan(id, subquestions.length > 0 ? { subquestions } : {}, {
      signal: context.signal,
    })
    return watchOrEnd(context, id)
  },
}

export const research: readonly Command[] = [
  ...[start, watch, show, get, list, cancel],
  ...[followUp, answer, approve],
]
