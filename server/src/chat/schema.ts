// Request and reply shapes of chat.
import { z } from 'zod'
import { isId } from '../kernel/ids.ts'
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
  archived: queryFlag.optional().meta({ description: 'True: those in the archive instead of the others.' }),
})

export const ThreadQuery = z.object({
  limit: queryInteger(1, PAGE_MESSAGES).default(PAGE_MESSAGES),
  cursor: pageQuery().cursor.meta({ description: '`messagesCursor` of the page after the one you want.' }),
})

export const NewThread = z.object({
  mode: mode.default('general'),
  title: title.optional().meta({ description: 'Left out: named after its first question.' }),
})

export const ThreadEdit = z.object({
  title: title.optional(),
  mode: mode.optional().meta({ description: 'For the messages from now on.' }),
  archived: z.boolean().optional(),
})

export const Thread = z
  .object({
    id: z.string(),
    title: z.string().meta({ description: 'Empty until there is a first question.' }),
    mode,
    archived: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp.meta({ description: 'When it was last asked something.' }),
    busy: z.boolean().meta({ description: 'An answer is being written; it is listed when it is over.' }),
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
      description: 'Null for questions and for what was found elsewhere, such as a report. So is `model`.',
    }),
    model: z.string().nullable(),
    costMinor: minorOut,
    status: z.enum(['complete', 'stopped', 'failed']).meta({
      description:
        '`stopped`: it ended before its end, and what had come by then was paid for. `failed`: nothing was.',
    }),
    errorCode: z.string().nullable().meta({
      description:
        'Why it failed, as the error code of the stream; `interrupted` when we lost it. Of a stopped answer: `length` when it was cut at its limit, `content_filter` when the model’s service withheld the rest, null when you stopped it.',
    }),
  })
  .meta({ id: 'ChatMessage' })

export const ThreadDetail = Thread.extend({
  messages: z
    .array(ChatMessage)
    .meta({ description: 'The newest, in the order they were said: at most 200, fewer when they are long.' }),
  messagesCursor: z
    .string()
    .nullable()
    .meta({ description: 'Send it as `cursor` for the messages before these. Null when there are none.' }),
}).meta({ id: 'ThreadDetail' })

const withheld = z.array(z.object({ path: z.string(), line: z.int().optional(), reason: z.string() })).meta({
  description:
    'Secrets that the model does not read. `path` is `prompt`, `conversation` for earlier messages, or a file of the index.',
})

export const NewMessage = z.object({
  prompt: words(PROMPT_CHARACTERS_MAX),
  repo: repoName.optional().meta({
    description:
      'In code mode, the indexed repository that excerpts come from. Left out: `default`, or the only one that is indexed.',
  }),
  frontier: z
    .boolean()
    .optional()
    .meta({ description: 'True: on the frontier lane, where policy allows it. Left out: as configured.' }),
  maxMinor: minor(0n)
    .optional()
    .meta({ description: 'The most the answer may cost: it is kept shorter, or refused with 402.' }),
  allowSecrets: z.boolean().optional().meta({
    description:
      'True sends values that look like secrets to the model. Otherwise it reads placeholders for them.',
  }),
})

export const MessageQuote = z.object({
  lane,
  model: z.string(),
  promptTokens: tokens.meta({ description: 'At most so many, with what is told of the conversation.' }),
  minMinor: minorOut.meta({ description: 'About what a very short answer costs.' }),
  maxMinor: minorOut.meta({
    description:
      'The answer never costs more at the prices of now. Send it as `maxMinor` of the message to be sure.',
  }),
  balanceMinor: minorOut,
  affordable: z.boolean().meta({
    description:
      'Whether wallet and plan cover a useful answer. A cap of your own is looked at when you send.',
  }),
  withheld,
})

const seq = z.int().min(1).meta({ description: 'Counts the frames of this stream from 1.' })

const Delta = z.object({ delta: z.string().meta({ examples: ['Use a '] }), seq })

export const LastFrame = z
  .object({
    message: ChatMessage,
    costMinor: minorOut,
    balanceMinor: minorOut,
    userMessage: z.object({ id: z.string(), createdAt: timestamp }).meta({ description: 'Your question.' }),
    finish: z.enum(['stop', 'length', 'content_filter', 'stopped']).meta({
      description:
        '`length`: cut at 4096 tokens, or at what `maxMinor`, the wallet or a cap allowed. `content_filter`: the model’s service withheld the rest.',
    }),
    context: z
      .object({ messages: tokens, dropped: tokens })
      .meta({ description: 'How many earlier messages the model was told, and how many did not fit.' }),
    withheld: withheld.optional(),
    seq,
  })
  .meta({ id: 'ChatLastFrame' })

export const ChatFrame = z.union([Delta, LastFrame])

export const StopResult = z.object({
  ok: z.literal(true),
  stopped: z.boolean().meta({ description: 'Whether there was anything to stop.' }),
})
