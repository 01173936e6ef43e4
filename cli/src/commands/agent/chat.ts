// cowrie chat: one question and answer, or an interactive conversation.
import type { Thread } from '@cowrie/sdk'
import {
  type Conversation,
  findConversation,
  saveConversation,
  startConversation,
} from '../../chat/conversation.ts'
import { sendMessage } from '../../chat/message.ts'
import { type Command, type Context, textOf } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { outputTo } from '../../interactive/show-error.ts'
import { reportError } from '../../report-error.ts'
import { type Intent, intentOf } from '../../spending/intents.ts'
import { type Wallet, walletOf } from '../../spending/limit.ts'
import { formatMoney } from '../../spending/money.ts'
import { chooseTheme } from '../../terminal/theme.ts'
import { columns } from '../../terminal/wrap.ts'

const PROMPT_CHARACTERS_MAX = 200_000
const LISTED_MAX = 50

export const chat: Command = {
  name: 'chat',
  usage: '[message]',
  summary:
    'Ask a question, or chat interactively with /new, /cost and /exit. Ctrl-C stops an answer. "-" reads standard input.',
  args: { min: 0, max: 1 },
  options: {
    thread: {
      type: 'string',
      placeholder: '<id>',
      summary: 'The conversation to continue. Default: the last one used here.',
      complete: 'threads',
    },
    new: { type: 'boolean', summary: 'Start a new conversation.' },
    code: { type: 'boolean', summary: 'Give a new conversation access to your indexed code.' },
    lane: {
      type: 'string',
      placeholder: '<lane>',
      summary: 'open or frontier. Default: the setting.',
      complete: ['open', 'frontier'],
    },
    list: { type: 'boolean', summary: 'List your conversations.' },
  },
  async run(context) {
    const { values, args, machine, signal } = context
    if (values.thread !== undefined && values.new === true)
      throw new UsageError('--thread and --new cannot be combined.')
    if (values.list === true) return list(context)
    const [given] = args
    if (given === undefined && context.ask.isPossible) return chatInteractively(context)
    const prompt = given === undefined || given === '-' ? await readAll(machine.stdin(signal)) : given
    return askOnce(context, prompt)
  },
}

async function list({ client, out, signal }: Context): Promise<void> {
  const { threads, nextCursor } = await client.chat.threads.list({ limit: LISTED_MAX }, { signal })
  out.result(
    { threads, nextCursor },
    threads.length > 0 ? columns(threads.map(rowOf)) : ['There are no conversations.'],
  )
  if (nextCursor !== null) out.note(`Showing only the newest ${threads.length}.`)
}

const rowOf = ({ id, title, updatedAt, busy }: Thread): [string, string] => [
  id,
  `${updatedAt.slice(0, 16).replace('T', ' ')}  ${title || '(empty)'}${busy ? '  (answering)' : ''}`,
]

async function askOnce(context: Context, prompt: string): Promise<void> {
  requireText(prompt)
  const { signal, ask, out } = context
  const wallet = await walletOf(context)
  const intent = intentFor(context, wallet, prompt)
  const conversation = await open(context, intent.before?.note)
  await saveConversation(context, conversation)
  const agree = async (maxMinor: bigint, text: string) => {
    if (confirmCost(context)) out.note(`This costs ${text}.`)
    else if (!(await ask.yes(`Send it for ${text}?`))) return false
    await intent.begin(maxMinor, conversation.id)
    return true
  }
  const during = <T>(work: (stop: AbortSignal | undefined) => Promise<T>) => work(signal)
  const outcome = await sendMessage(context, { conversation, prompt, wallet }, { agree, during }).catch(
    (error: unknown) => {
      intent.settleAfter(error)
      throw error
    },
  )
  intent.settle()
  if (outcome === 'answered') return
  if (outcome === 'declined') out.note(NOTHING_SENT)
  context.endWith(EXIT.cancelled)
}

const NOTHING_SENT = 'Nothing was sent or charged.'

/** `--max-cost` limits and `--yes` confirms, as in every paid command. */
const confirmCost = ({ values }: Context): boolean => values.yes === true

/** The command line with its conversation: repeating the command reaches the same conversation, also with --new. */
const intentFor = (context: Context, wallet: Wallet, prompt: string): Intent =>
  intentOf(context, wallet, 'ask', {
    prompt,
    thread: textOf(context.values, 'thread') ?? null,
    isNew: context.values.new === true,
    isCode: context.values.code === true,
  })

async function open(context: Context, sentTo?: string): Promise<Conversation> {
  const found = await findConversation(context, sentTo)
  if (found?.title && context.values.thread === undefined)
    context.out.note(`Continuing "${found.title}". Use --new to start another.`)
  return found ?? startConversation(context)
}

async function chatInteractively(given: Context): Promise<void> {
  const { machine, client, signal, config, env } = given
  const wallet = await walletOf(given)
  const money = (minor: bigint) => formatMoney(minor, wallet.currency)
  let conversation = await open(given)
  given.out.note(
    'Press Enter to send. /new starts another conversation, /cost shows the balance, /exit quits.',
  )
  const { openHistory } = await import('../../interactive/message-history.ts')
  // Answers in a file and a region that is redrawn do not mix.
  const isShown = machine.isStdoutTerminal
  const screen = await machine.openScreen({
    theme: given.out.mode.color ? chooseTheme(env, config.theme) : 'none',
    isPlain: !isShown || config.plain === true,
    history: openHistory(given.paths, 'chat'),
    complete: async (typed) => COMMANDS.filter(({ text }) => text.startsWith(typed)),
    env,
  })
  signal?.addEventListener('abort', () => screen.close(), { once: true })
  const out = isShown ? outputTo(screen) : given.out
  const context = { ...given, out }
  /** Messages up to this cost are sent without asking; null: any cost within the limit. */
  let agreedMinor = confirmCost(given) ? null : 0n

  async function agree(maxMinor: bigint, text: string): Promise<boolean> {
    if (agreedMinor === null || maxMinor <= agreedMinor) {
      out.note(`This costs ${text}.`)
      return true
    }
    // The user agrees only to the amount that was shown.
    const laterMinor = given.out.mode.quiet ? maxMinor : maxMinor * 2n
    out.note(`Later messages up to ${money(laterMinor)} are sent without asking.`)
    const isAgreed = await screen.choose({
      title: `Send it for ${text}?`,
      choices: [
        { key: 'y', label: 'yes', value: true },
        { key: 'n', label: 'no', value: false },
      ],
      usual: false,
    })
    if (isAgreed !== true) return false
    agreedMinor = laterMinor
    return true
  }

  /** A failure ends the message, not the conversation. */
  async function say(prompt: string): Promise<void> {
    try {
      requireText(prompt)
      await saveConversation(context, conversation)
      const options = {
        agree,
        during: screen.during,
        ...(isShown && { openAnswer: () => screen.openAnswer('text') }),
      }
      if ((await sendMessage(context, { conversation, prompt, wallet }, options)) === 'declined')
        out.note(NOTHING_SENT)
    } catch (error) {
      reportError(error, out, { signal, keySource: context.keyFromEnvironment ? 'environment' : 'stored' })
    }
  }

  try {
    for (;;) {
      const typed = (await screen.readMessage())?.text.trim()
      if (typed === undefined || typed === '/exit') return
      if (typed === '') continue
      if (typed === '/new') {
        conversation = await startConversation(context)
        out.note('Started a new conversation.')
      } else if (typed === '/cost')
        out.note(`Balance ${money((await client.me.get({ signal })).balanceMinor)}.`)
      else if (/^\/\w*$/.test(typed)) out.note('Available commands: /new, /cost, /exit.')
      else await say(typed)
    }
  } finally {
    screen.close()
  }
}

const COMMANDS = [
  { text: '/new', label: 'starts another conversation' },
  { text: '/cost', label: 'shows the balance' },
  { text: '/exit', label: 'quits' },
]

function requireText(prompt: string): void {
  if (prompt.trim() === '') throw new UsageError('No question given. Write it after "chat".')
  if (prompt.length > PROMPT_CHARACTERS_MAX)
    throw new Failure('prompt_too_long', 'A message can have at most 200,000 characters.')
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
