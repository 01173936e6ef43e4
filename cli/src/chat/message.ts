// One message: quoted, confirmed, recorded, sent, shown while it streams, and settled.

import { withheldText } from '../agent/outcome.ts'
import { repoOf } from '../code-index/repo-name.ts'
import { type Context, textOf } from '../command.ts'
import { Failure, UsageError } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { intentOf, type SentCall } from '../spending/intents.ts'
import { type Wallet, withinLimit } from '../spending/limit.ts'
import { costLine, formatMoney, usualCostText } from '../spending/money.ts'
import { plainLines } from '../terminal/line.ts'
import { markdownStream } from '../terminal/markdown.ts'
import type { Output } from '../terminal/output.ts'
import type { AnswerView } from '../terminal/screen-types.ts'
import { answerTo } from './answer.ts'
import type { Conversation } from './conversation.ts'

export type Outcome = 'answered' | 'stopped' | 'declined'

export type MessageOptions = {
  /** Shows the cost; returns whether the user agrees. `text` is like "usually ₦0.40–₦1.20, at most ₦2.65". */
  agree(maxMinor: bigint, text: string): Promise<boolean>
  /** Runs the work with a signal that aborts when the answer should stop. */
  during<T>(work: (stop: AbortSignal | undefined) => Promise<T>): Promise<T>
  /** Where the answer is shown. Default: standard output. */
  openAnswer?(): AnswerView
}

type MessagePrice = { readonly maxMinor: bigint; readonly text: string }

export async function sendMessage(
  context: Context,
  { conversation, prompt, wallet }: { conversation: Conversation; prompt: string; wallet: Wallet },
  { agree, during, openAnswer }: MessageOptions,
): Promise<Outcome> {
  const { client, out, signal } = context
  const { currency } = wallet
  const frontier = frontierIn(context)
  const repo = await repoOf(context)
  const intent = intentOf(context, wallet, 'chat', {
    thread: conversation.id,
    prompt,
    frontier: frontier ?? null,
    ...(repo !== undefined && { repo }),
  })
  const { maxMinor, text } = intent.before ? priceBefore(intent.before) : await priceOf()
  if (!intent.before && !(await agree(maxMinor, text))) return 'declined'

  const { key, note: after } = await intent.begin(maxMinor, conversation.lastId)
  const showing = openAnswer ? renderTo(openAnswer, out) : renderOf(context)
  try {
    const isFirst = intent.before === null
    const question = { threadId: conversation.id, prompt, repo, frontier, maxMinor, key, isFirst, after }
    const answered = await during((stop) => answerTo(context, question, showing, stop))
    showing.end()
    if (!answered) {
      out.note('Stopped before the answer started. Nothing was charged.')
      return 'stopped'
    }
    const { message, last } = answered
    if (out.json) out.frame(last ?? { message }, [])
    if (message.status === 'failed') throw failed(message.errorCode)
    intent.settle()
    conversation.lastId = message.id
    const balanceMinor = last?.balanceMinor ?? (await client.me.get()).balanceMinor
    if (last && last.context.dropped > 0)
      out.note(`${last.context.dropped} earlier messages did not fit and were omitted.`)
    for (const each of last?.withheld ?? []) out.note(`Not sent to the model: ${withheldText(each)}.`)
    if (last?.finish === 'length') out.note('The answer reached its length limit. Ask it to continue.')
    if (message.errorCode === 'content_filter')
      out.note('The model provider withheld the rest of the answer. Rephrase the question.')
    out.note(costLine({ costMinor: message.costMinor, balanceMinor, currency }))
    return message.status === 'stopped' && message.errorCode === null ? 'stopped' : 'answered'
  } catch (error) {
    showing.end()
    intent.settleAfter(error)
    throw error
  }

  function priceBefore({ maxMinor: shownMinor }: SentCall): MessagePrice {
    out.note(
      `This was sent before and its answer was lost. Fetching it for at most ${formatMoney(shownMinor, currency)}; it is charged once.`,
    )
    const limits = { leastMinor: shownMinor, maxMinor: shownMinor }
    return { maxMinor: withinLimit(context, limits, currency), text: '' }
  }

  async function priceOf(): Promise<MessagePrice> {
    const quote = await client.chat.messages.quote(
      conversation.id,
      { prompt, ...(repo !== undefined && { repo }), ...(frontier !== undefined && { frontier }) },
      { signal },
    )
    const shownMinor = withinLimit(
      context,
      { leastMinor: quote.minMinor, maxMinor: quote.maxMinor },
      currency,
    )
    if (quote.affordable) {
      const { usuallyMinor } = quote
      const usually = usuallyMinor ? `${usualCostText(usuallyMinor, shownMinor, currency)}, ` : ''
      return { maxMinor: shownMinor, text: `${usually}at most ${formatMoney(shownMinor, currency)}` }
    }
    throw new Failure(
      'insufficient_funds',
      `Your balance of ${formatMoney(quote.balanceMinor, currency)} is too low for an answer.`,
      { exit: EXIT.money, next: 'Top up with "cowrie wallet topup <amount>".' },
    )
  }
}

const failed = (code: string | null): Failure =>
  new Failure(code ?? 'answer_failed', 'The answer failed. Nothing was charged.', {
    exit: EXIT.network,
    next: 'Send the same message again to replace it.',
  })

function frontierIn({ values, config }: Context): boolean | undefined {
  const lane = textOf(values, 'lane') ?? config.lane
  if (lane === undefined) return undefined
  if (lane !== 'open' && lane !== 'frontier') throw new UsageError('--lane must be open or frontier.')
  return lane === 'frontier'
}

function renderTo(openAnswer: () => AnswerView, out: Output) {
  let view: AnswerView | null = null
  return {
    take(piece: string) {
      view ??= openAnswer()
      view.write(piece)
    },
    restart: () => view?.restart(),
    warn: (sentence: string) => out.note(sentence),
    end: () => view?.end(),
  }
}

/** The text as it streams: rendered on a terminal, unchanged in a pipe, JSON lines with --json. */
function renderOf({ out, machine }: Context) {
  const text = machine.isStdoutTerminal
    ? markdownStream((shown) => out.raw(shown), out.mode)
    : unchanged((shown) => out.raw(shown))
  return {
    take(piece: string) {
      if (out.json) out.frame({ delta: piece }, [])
      else text.take(piece)
    },
    restart() {
      text.end()
      out.note('The answer restarts:')
    },
    warn(sentence: string) {
      if (machine.isStdoutTerminal) text.end()
      out.note(sentence)
    },
    end: () => text.end(),
  }
}

function unchanged(write: (text: string) => void) {
  let isMidLine = false
  return {
    take(text: string) {
      write(plainLines(text))
      isMidLine = !text.endsWith('\n')
    },
    end() {
      if (isMidLine) write('\n')
      isMidLine = false
    },
  }
}
