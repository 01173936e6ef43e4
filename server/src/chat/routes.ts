// Routes of chat.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { stopAnswer } from './answers/active-answers.ts'
import { quoteMessage } from './answers/quote.ts'
import { sendMessage } from './answers/send.ts'
import {
  ChatFrame,
  EmptyBody,
  MessageQuote,
  NewMessage,
  NewThread,
  StopResult,
  Thread,
  ThreadDetail,
  ThreadEdit,
  ThreadParams,
  ThreadQuery,
  ThreadsPage,
  ThreadsQuery,
} from './schema.ts'
import { changeThread, createThread, deleteThread, listThreads, readThread } from './threads/threads.ts'

const access = { scope: 'agent:run' } as const

export const chatRoutes = [
  route('chat.threads.list', 'GET /chat/threads', {
    summary: 'List your conversations, most recently used first.',
    access,
    rate: 'global',
    query: ThreadsQuery,
    reply: { 200: ThreadsPage },
    handle: ({ app, actor, query }) => listThreads(app, actor, query),
  }),

  route('chat.threads.create', 'POST /chat/threads', {
    summary: 'Start a conversation.',
    detail:
      'Only you can read it; administrators of your organisation cannot. Limits: 1000 conversations per user, including archived ones, and 2000 messages per conversation.',
    access,
    rate: 'global',
    body: NewThread,
    reply: { 201: Thread },
    errors: ['limit_reached'],
    handle: ({ app, actor, body }) => createThread(app, actor, body),
  }),

  route('chat.threads.read', 'GET /chat/threads/{id}', {
    summary: 'Read a conversation with its newest messages.',
    access,
    rate: 'global',
    params: ThreadParams,
    query: ThreadQuery,
    reply: { 200: ThreadDetail },
    handle: ({ app, actor, params, query }) => readThread(app, actor, params.id, query),
  }),

  route('chat.threads.change', 'PATCH /chat/threads/{id}', {
    summary: 'Rename, archive or unarchive a conversation, or change its mode.',
    detail: 'You can still read an archived conversation. A new message unarchives it.',
    access,
    rate: 'global',
    params: ThreadParams,
    body: ThreadEdit,
    reply: { 200: Thread },
    handle: ({ app, actor, params, body }) => changeThread(app, actor, params.id, body),
  }),

  route('chat.threads.delete', 'DELETE /chat/threads/{id}', {
    summary: 'Delete a conversation and all its messages.',
    detail: 'Refused while an answer is running: stop it first. Charges stay in the ledger.',
    access,
    rate: 'global',
    params: ThreadParams,
    reply: { 200: ok },
    errors: ['thread_busy'],
    handle: ({ app, actor, params }) => deleteThread(app, actor, params.id),
  }),

  route('chat.messages.send', 'POST /chat/threads/{id}/messages', {
    summary: 'Send a message and stream the answer.',
    detail:
      'Frames with `delta` carry the text; the last frame carries the whole message and its cost. Without an Idempotency-Key, closing the connection stops the answer; the partial text is stored and charged. With a key the answer continues: a retry with the same key returns the last frame, and POST /chat/threads/{id}/stop stops the answer. An answer that fails because of us or the provider costs nothing, and a retry with the same key replaces it.',
    access,
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    params: ThreadParams,
    body: NewMessage,
    stream: ChatFrame,
    errors: [
      'prompt_too_long',
      'insufficient_funds',
      'member_cap_reached',
      'budget_too_low',
      'thread_busy',
      'work_ended',
      'limit_reached',
      'residency_blocked',
      'upstream_failed',
      'upstream_unavailable',
      'upstream_refused',
      'inference_not_configured',
    ],
    handle: ({ app, actor, params, body, once, open, request }) =>
      sendMessage(app, actor, params.id, body, { once, open, requestId: request.id }),
  }),

  route('chat.messages.quote', 'POST /chat/threads/{id}/quote', {
    summary: 'Quote the maximum cost of a message before sending it.',
    access,
    rate: 'global',
    params: ThreadParams,
    body: NewMessage,
    reply: { 200: MessageQuote },
    errors: ['prompt_too_long', 'residency_blocked', 'inference_not_configured'],
    handle: ({ app, actor, params, body }) => quoteMessage(app, actor, params.id, body),
  }),

  route('chat.messages.stop', 'POST /chat/threads/{id}/stop', {
    summary: 'Stop the running answer.',
    detail: 'The partial text is stored and charged. Connected clients receive the last frame immediately.',
    access,
    rate: 'global',
    params: ThreadParams,
    body: EmptyBody,
    reply: { 200: StopResult },
    handle: ({ app, actor, params }) => stopAnswer(app, actor, params.id),
  }),
]
