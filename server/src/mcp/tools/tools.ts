// The tools, in display order.
import { isRecord } from '../message.ts'
import { type FetchText, MAX_COST, type Price, type Reply, type Tool } from './tool.ts'

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

const recordsIn = (list: unknown): Reply[] => (Array.isArray(list) ? list.filter(isRecord) : [])
const depthsIn = ({ depths }: Reply): Reply[] => recordsIn(depths)

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

const turnPrice: Price = {
  limitField: 'maxMinor',
  quotedBy: 'tasks.quote',
  quoteBody: ({ prompt, model }) => ({ prompt, model }),
  describe: () =>
    `Call it without \`${MAX_COST}\` for the usual and the highest cost of the turn. A turn usually costs far less than its limit.`,
}

/** A task can have hundreds of turns, and each prompt can be long. */
const TURNS_SHOWN = 3
const PROMPT_CHARACTERS_SHOWN = 2_000
const withLastTurns = (task: Reply): Reply => ({
  ...task,
  turns: recordsIn(task.turns).slice(-TURNS_SHOWN).map(withShortPrompt),
})
const withShortPrompt = (turn: Reply): Reply =>
  typeof turn.prompt === 'string' && turn.prompt.length > PROMPT_CHARACTERS_SHOWN
    ? { ...turn, prompt: `${turn.prompt.slice(0, PROMPT_CHARACTERS_SHOWN)}…` }
    : turn

/** More would not fit the context of most models. */
const DIFF_CHARACTERS_SHOWN = 200_000
function withShownFiles(diff: Reply): Reply {
  const files: Reply[] = []
  const skipped = recordsIn(diff.skipped)
  let characters = 0
  for (const file of recordsIn(diff.files)) {
    characters += String(file.patch).length
    if (characters > DIFF_CHARACTERS_SHOWN) skipped.push({ path: file.path, reason: 'too_large' })
    else files.push(file)
  }
  return { ...diff, files, skipped }
}

export const tools: readonly Tool[] = [
  {
    name: 'wallet_balance',
    title: 'Wallet balance',
    operation: 'wallet.get',
    description:
      'The wallet balance, the amount available for new work, and the remaining allowance of the plan.',
    isReadOnly: true,
  },
  {
    name: 'list_charges',
    title: 'Charges and credits',
    operation: 'wallet.ledger',
    description:
      'All credits and debits of the wallet, newest first. `ref` is the run of a charge; pass the `id` to `explain_charge`.',
    isReadOnly: true,
    hiddenFields: ['orgId'],
  },
  {
    name: 'explain_charge',
    title: 'Explain a charge',
    operation: 'wallet.explain',
    description: 'Explains a ledger entry: the quote, the usage, and how the amount was calculated.',
    isReadOnly: true,
  },
  {
    name: 'quote',
    title: 'Price of a run',
    operation: 'agent.quote',
    description:
      'The maximum cost of `run_agent` with these arguments, or of `run_loop` if `maxIters` or `sandbox` is given. Pass its `maxMinor` as `maxCostMinor` to guarantee it.',
    isReadOnly: true,
    hiddenFields: ['maxMinor'],
  },
  {
    name: 'search_repo',
    title: 'Search the code',
    operation: 'index.search',
    description: 'Searches the indexed code by keywords and by meaning.',
    isReadOnly: true,
    // Rewriting costs money, and this tool is free.
    hiddenFields: ['rewrite', 'preview', 'maxCostMinor'],
    replyFields: ['hits', 'mode'],
  },
  {
    name: 'run_agent',
    title: 'Edit code',
    operation: 'agent.run',
    description:
      'Returns a plan and whole-file edits for a prompt and the files in `context`. Edits are never applied: show them to the user and write them if they agree.',
    isReadOnly: false,
    price: runPrice,
  },
  {
    name: 'run_loop',
    title: 'Edit code until its tests pass',
    operation: 'agent.runLoop',
    description:
      'Plans, edits, runs `testCmd` in our sandbox and retries, up to `maxIters` times. Edits are returned, never applied. Cancelling stops it after the current turn, which is charged.',
    isReadOnly: false,
    price: loopPrice,
    progress: loopStep,
  },
  {
    name: 'review_diff',
    title: 'Review a diff',
    operation: 'review.scan',
    description:
      'Finds faults in a unified `diff` or in `files` with static rules. With both, reports only faults that the diff introduced. Nothing is stored.',
    isReadOnly: true,
  },
  {
    name: 'research_start',
    title: 'Start research',
    operation: 'research.start',
    description:
      'Starts a run that answers a question from the web with a cited report. It runs in the background for minutes: poll `research_status`, then read `research_report`.',
    isReadOnly: false,
    isOpenWorld: true,
    price: researchPrice,
    hiddenFields: ['projectId', 'conversationId'],
  },
  {
    name: 'research_status',
    title: 'Research status',
    operation: 'research.get',
    description: 'The status, phase and cost of a research run.',
    isReadOnly: true,
    replyFields: [
      ...['id', 'status', 'stopReason', 'phase', 'question', 'depth', 'budgetMinor', 'spentMinor'],
      ...['refundedMinor', 'errorCode', 'createdAt', 'finishedAt'],
    ],
  },
  {
    name: 'research_report',
    title: 'Research report',
    operation: 'research.get',
    description:
      'The report of a finished research run in Markdown (`text`, null until it is ready), with findings and sources.',
    isReadOnly: true,
    extra: { fields: { text: { type: ['string', 'null'] } }, read: reportText },
  },
  {
    name: 'research_cancel',
    title: 'Cancel research',
    operation: 'research.cancel',
    description: 'Stops a research run. The current model turn is finished and charged.',
    isReadOnly: false,
    isIdempotent: true,
  },
  {
    name: 'task_create',
    title: 'Create a task',
    operation: 'tasks.create',
    description:
      'Creates a conversation with an agent about a workspace: `files` that you send, a `repository` of a GitHub installation, or a `client` folder whose tools you run yourself. Start work with `task_turn`.',
    isReadOnly: false,
  },
  {
    name: 'task_turn',
    title: 'Start a turn of a task',
    operation: 'tasks.turn',
    description:
      'Lets the agent work on a prompt: it reads, searches and edits files, runs the tests, and the service verifies the result. It runs in the background for minutes: poll `task_status`, then read `task_diff`. A task has one turn at a time.',
    isReadOnly: false,
    price: turnPrice,
  },
  {
    name: 'task_status',
    title: 'Task status',
    operation: 'tasks.get',
    description:
      'The status and cost of a task, with its last three turns: summary, verification and stop reason. `needs` lists what an open turn waits for: answer a `tool` with `task_tool_results`; an `approval` is given by a person in the app.',
    isReadOnly: true,
    shorten: withLastTurns,
  },
  {
    name: 'task_diff',
    title: 'Changes of a task',
    operation: 'tasks.diff',
    description:
      'The changed files of a task, each with a patch; with `from`, only those after that turn. Files whose patches are too large are named in `skipped`. Show the changes to the user and apply them if they agree.',
    isReadOnly: true,
    shorten: withShownFiles,
  },
  {
    name: 'task_stop',
    title: 'Stop a task',
    operation: 'tasks.stop',
    description:
      'Stops the turn of a task. The step in progress is finished and charged, and the work stays.',
    isReadOnly: false,
    isIdempotent: true,
    shorten: withLastTurns,
  },
  {
    name: 'task_tool_results',
    title: 'Send results of tools',
    operation: 'tasks.toolResults',
    description:
      'Answers the tool calls in `needs` of a task with a `client` workspace. Run the tools on the files of the user. A call takes one result.',
    isReadOnly: false,
    isIdempotent: true,
  },
  {
    name: 'task_list',
    title: 'Tasks',
    operation: 'tasks.list',
    description: 'Tasks, last used first.',
    isReadOnly: true,
  },
  {
    name: 'list_runs',
    title: 'Earlier runs',
    operation: 'agent.runs.list',
    description: 'Runs and loops of the organisation, newest first, including those whose reply was lost.',
    isReadOnly: true,
  },
  {
    name: 'get_run',
    title: 'One earlier run',
    operation: 'agent.runs.get',
    description: 'A run or loop with its complete result. Reading is free.',
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

async function reportText({ report }: Reply, fetchText: FetchText) {
  const files = isRecord(report) && Array.isArray(report.files) ? report.files.filter(isRecord) : []
  const url = files.find(({ name }) => name === 'report.md')?.url
  return { text: typeof url === 'string' && ATTACHMENT.test(url) ? await fetchText(url) : null }
}
