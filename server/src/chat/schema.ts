// Request and reply schemas of chat.
import { z } from 'zod'
import { isId } from '../kernel/ids.ts'
import { usuallyMinor } from '../metering/metering.ts'
import {
  line,
  minor,
  minorOut,
  pageQuery,
  queryFlag,
  queryInteger,
  timestamp,
  words,
} from '../platform/http/shapes.ts'
import { repoName } from '../repo-index/repo-index.ts'
import { PAGE_MESSAGES, PROMPT_CHARACTERS_MAX } from './limits.ts'
import type { ThreadId } from './threads/threads-sql.ts'

const mode = z.enum(['general', 'code'])
const lane = z.enum(['open', 'frontier'])
const title = line(200)
const tokens = z.int().min(0)

export const EmptyBody = z.object({})
export const ThreadParams = z.object({
  id: z.custom<ThreadId>((value) => typeof value === 'string' && isId('thr', value)),
})

export const ThreadsQuery = z.object({
  ...pageQuery(),
  archived: queryFlag
    .optional()
    .meta({ description: 'True lists archived conversations instead of active ones.' }),
})

export const ThreadQuery = z.object({
  limit: queryInteger(1, PAGE_MESSAGES).default(PAGE_MESSAGES),
  cursor: pageQuery().cursor.meta({
    description: '`messagesCursor` of the previous reply; returns older messages.',
  }),
})

export const NewThread = z.object({
  mode: mode.default('general'),
  title: title.optional().meta({ description: 'Default: derived from the first question.' }),
})

export const ThreadEdit = z.object({
  title: title.optional(),
  mode: mode.optional().meta({ description: 'Applies to new messages.' }),
  archived: z.boolean().optional(),
})

export const Thread = z
  .object({
    id: z.string(),
    title: z.string().meta({ description: 'Empty until the first question.' }),
    mode,
    archived: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp.meta({ description: 'Time of the last question.' }),
    busy: z.boolean().meta({ description: 'An answer is running. It is listed after it finishes.' }),
  })
  .meta({ id: 'Thread' })

export const ThreadsPage = z.object({ threads: z.array(Thread), nextCursor: z.string().nullable() })

export const ChatMessage = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    createdAt: timestamp,
    lane: lane.nullable().meta({
      description: 'Null, like `model`, for questions and for answers of other features, such as reports.',
    }),
    model: z.string().nullable(),
    costMinor: minorOut,
    status: z.enum(['complete', 'stopped', 'failed']).meta({
      description:
        '`stopped`: the answer is incomplete and its text was charged. `failed`: nothing was charged.',
    }),
    errorCode: z.string().nullable().meta({
      description:
        'For a failed answer: the error code of the stream, or `interrupted` when our process died. For a stopped answer: `length` at the output limit, `content_filter` when the provider withheld the rest, null when you stopped it.',
    }),
  })
  .meta({ id: 'ChatMessage' })

export const ThreadDetail = Thread.extend({
  messages: z
    .array(ChatMessage)
    .meta({ description: 'The newest messages, oldest first: at most 200, fewer when they are long.' }),
  messagesCursor: z
    .string()
    .nullable()
    .meta({ description: 'Send it as `cursor` to read older messages. Null when there are none.' }),
}).meta({ id: 'ThreadDetail' })

const withheld = z.array(z.object({ path: z.string(), line: z.int().optional(), reason: z.string() })).meta({
  description:
    'Secrets hidden from the model. `path` is `prompt`, `conversation` for earlier messages, or an indexed file.',
})

export const NewMessage = z.object({
  prompt: words(PROMPT_CHARACTERS_MAX),
  repo: repoName.optional().meta({
    description:
      'In code mode, the indexed repository for excerpts. Default: `default`, or the only indexed repository.',
  }),
  frontier: z
    .boolean()
    .optional()
    .meta({ description: 'True selects the frontier lane if policy allows it. Default: as configured.' }),
  maxMinor: minor(0n)
    .optional()
    .meta({ description: 'Maximum cost. The answer is shortened to fit, or refused with 402.' }),
  allowSecrets: z.boolean().optional().meta({
    description:
      'True sends values that look like secrets to the model. Otherwise the model receives placeholders.',
  }),
})

export const MessageQuote = z.object({
  lane,
  model: z.string(),
  promptTokens: tokens.meta({ description: 'Upper bound, including the conversation context.' }),
  minMinor: minorOut.meta({ description: 'Approximate cost of a very short answer.' }),
  maxMinor: minorOut.meta({
    description:
      'The answer never costs more at current prices. Send it as `maxMinor` of the message to guarantee it.',
  }),
  usuallyMinor,
  balanceMinor: minorOut,
  affordable: z.boolean().meta({
    description: 'Whether wallet and plan cover a useful answer. Your member cap is checked when you send.',
  }),
  withheld,
})

const seq = z.int().min(1).meta({ description: 'Frame number in this stream, starting at 1.' })

const Delta = z.object({ delta: z.string().meta({ examples: ['Use a '] }), seq })

export const LastFrame = z
  .object({
    message: ChatMessage,
    costMinor: minorOut,
    balanceMinor: minorOut,
    userMessage: z.object({ id: z.string(), createdAt: timestamp }).meta({ description: 'Your question.' }),
    finish: z.enum(['stop', 'length', 'content_filter', 'stopped']).meta({
      description:
        '`length`: cut at 4096 tokens, or at the limit from `maxMinor`, the wallet or a cap. `content_filter`: the provider withheld the rest.',
    }),
    context: z
      .object({ messages: tokens, dropped: tokens })
      .meta({ description: 'How many earlier messages the model received, and how many did not fit.' }),
    withheld: withheld.optional(),
    seq,
  })
  .meta({ id: 'ChatLastFrame' })

export const ChatFrame = z.union([Delta, LastFrame])

export const StopResult = z.object({
  ok: z.literal(true),
  stopped: z.boolean().meta({ description: 'Whether an answer was running.' }),
})
