// The tools, in the order a client shows them.
import { isRecord } from '../message.ts'
import type { Price, Reply, Tool } from './tool.ts'

const EXAMPLE = { prompt: 'Give the function a clearer name.' }

const runPrice: Price = {
  limitField: 'maxMinor',
  quotedBy: 'agent.quote',
  quoteBody: ({ prompt, context, frontier, allowSecrets }) => ({ prompt, context, frontier, allowSecrets }),
  example: EXAMPLE,
  describe: ({ minMinor, maxMinor }, money) =>
    `A short prompt without files costs from ${money(minMinor)} to at most ${money(maxMinor)}; files cost more.`,
}

const loopPrice: Price = {
  ...runPrice,
  quoteBody: ({ prompt, context, frontier, allowSecrets, maxIters, testCmd, sandbox = 'none' }) => ({
    ...{ prompt, context, frontier, allowSecrets, maxIters, testCmd, sandbox },
  }),
  example: { ...EXAMPLE, maxIters: 3 },
  describe: ({ minMinor, maxMinor, iterations }, money) =>
    `A short prompt without files costs from ${money(minMinor)} to at most ${money(maxMinor)} for ${iterations} iterations; files cost more.`,
}

const depthsIn = ({ depths }: Reply): Reply[] => (Array.isArray(depths) ? depths.filter(isRecord) : [])

const researchPrice: Price = {
  limitField: 'budgetMinor',
  quotedBy: 'research.config',
  selectQuote: (config, { depth = 'standard' }) => depthsIn(config).find((each) => each.depth === depth),
  example: {},
  describe: (config, money) =>
    depthsIn(config)
      .map(
        ({ depth, estimateMinor, maxMinor }) =>
          `${depth}: usually ${money(estimateMinor)}, at most ${money(maxMinor)}`,
      )
      .join('; ')
      .concat('.'),
}

export const tools: readonly Tool[] = [
  {
    name: 'wallet_balance',
    title: 'Wallet balance',
    operation: 'wallet.get',
    description: 'What is in the wallet, what of it is free for new work, and what the plan still includes.',
    isReadOnly: true,
  },
  {
    name: 'list_charges',
    title: 'Charges and credits',
    operation: 'wallet.ledger',
    description:
      'Every credit and debit of the wallet, newest first. `ref` is the run that a charge was for; `explain_charge` takes the `id`.',
    isReadOnly: true,
    hiddenFields: ['orgId'],
  },
  {
    name: 'explain_charge',
    title: 'Explain a charge',
    operation: 'wallet.explain',
    description:
      'Why an entry of the ledger is what it is: what was promised, what was used, and the calculation from one to the other.',
    isReadOnly: true,
  },
  {
    name: 'quote',
    title: 'Price of a run',
    operation: 'agent.quote',
    description:
      'What `run_agent` would cost at most with these arguments, or `run_loop` where `maxIters` or `sandbox` is given. Pass its `maxMinor` as `maxCostMinor` and it cannot cost more.',
    isReadOnly: true,
    hiddenFields: ['maxMinor'],
  },
  {
    name: 'search_repo',
    title: 'Search the code',
    operation: 'index.search',
    description: 'Places in the indexed code that a question is about, by words and by meaning together.',
    isReadOnly: true,
  },
  {
    name: 'run_agent',
    title: 'Edit code',
    operation: 'agent.run',
    description:
      'A plan and whole-file edits for a prompt and the files in `context`. Edits are returned and never applied: show them to the person and write them where they agree.',
    isReadOnly: false,
    price: runPrice,
  },
  {
    name: 'run_loop',
    title: 'Edit code until its tests pass',
    operation: 'agent.runLoop',
    description:
      'Plans, edits, runs `testCmd` in a sandbox of ours and tries again, up to `maxIters` times. Edits are returned and never applied. Cancel it to stop after the turn that is under way; that turn is charged.',
    isReadOnly: false,
    price: loopPrice,
    progress: loopStep,
  },
  {
    name: 'review_diff',
    title: 'Review a diff',
    operation: 'review.scan',
    description:
      'Faults in a unified `diff`, or in `files`, found by rules alone; with both, only what the diff brought is reported. Nothing is stored.',
    isReadOnly: true,
  },
  {
    name: 'research_start',
    title: 'Start research',
    operation: 'research.start',
    description:
      'Starts a run that answers a question from the web, with a cited report. It goes on by itself for minutes: look with `research_status`, then read `research_report`.',
    isReadOnly: false,
    isOpenWorld: true,
    price: researchPrice,
    hiddenFields: ['projectId', 'conversationId'],
  },
  {
    name: 'research_status',
    title: 'How research stands',
    operation: 'research.get',
    description: 'Whether a research run is still going on, its phase, and what it has spent.',
    isReadOnly: true,
    replyFields: [
      ...['id', 'status', 'stopReason', 'phase', 'question', 'depth', 'budgetMinor', 'spentMinor'],
      ...['refundedMinor', 'errorCode', 'createdAt', 'finishedAt'],
    ],
  },
  {
    name: 'research_report',
    title: 'Report of research',
    operation: 'research.get',
    description:
      'The report of a finished research run in Markdown (`text`, null while there is none), with its findings and sources.',
    isReadOnly: true,
    extra: { fields: { text: { type: ['string', 'null'] } }, read: reportText },
  },
  {
    name: 'research_cancel',
    title: 'Cancel research',
    operation: 'research.cancel',
    description:
      'Begins nothing further in a research run. The model turn that is under way is finished and charged.',
    isReadOnly: false,
    isIdempotent: true,
  },
  {
    name: 'list_runs',
    title: 'Earlier runs',
    operation: 'agent.runs.list',
    description:
      'Runs and loops of the organisation, newest first: also those whose answer was lost on the way.',
    isReadOnly: true,
  },
  {
    name: 'get_run',
    title: 'One earlier run',
    operation: 'agent.runs.get',
    description: 'A run or loop with its whole result. Reading it again is never charged.',
    isReadOnly: true,
  },
]

function loopStep(frame: Reply): string | null {
  if (isRecord(frame.start)) return `started ${frame.start.id} on ${frame.start.model}`
  if (typeof frame.step !== 'string') return null
  const state = frame.ok === true ? 'done' : 'not yet'
  return `${frame.step} ${frame.turn}: ${state}, ${frame.costMinor} minor units so far`
}

const ATTACHMENT = /^\/attachments\/att_[0-9a-z]{26}$/

async function reportText({ report }: Reply, look: (path: string) => Promise<string | null>) {
  const files = isRecord(report) && Array.isArray(report.files) ? report.files.filter(isRecord) : []
  const url = files.find(({ name }) => name === 'report.md')?.url
  return { text: typeof url === 'string' && ATTACHMENT.test(url) ? await look(url) : null }
}
