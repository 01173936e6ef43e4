// Chat: the endpoints.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
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
import { stopAnswer } from './stop.ts'
import { changeThread, createThread, deleteThread, listThreads, readThread } from './threads/threads.ts'

const access = { scope: 'agent:run' } as const

export const chatRoutes = [
  route('chat.threads.list', 'GET /chat/threads', {
    summary: 'Your conversations, those you asked in last first.',
    access,
    rate: 'global',
    query: ThreadsQuery,
    reply: { 200: ThreadsPage },
    handle: ({ app, actor, query }) => listThreads(app, actor, query),
  }),

  route('chat.threads.create', 'POST /chat/threads', {
    summary: 'Begin a conversation.',
    detail:
      'It is yours alone within your organisation: nobody else can read it, administrators included. You can have 1000 of them, archived ones included, each with 2000 messages.',
    access,
    rate: 'global',
    body: NewThread,
    reply: { 201: Thread },
    errors: ['limit_reached'],
    handle: ({ app, actor, body }) => createThread(app, actor, body),
  }),

  route('chat.threads.read', 'GET /chat/threads/{id}', {
    summary: 'A conversation with its newest messages.',
    access,
    rate: 'global',
    params: ThreadParams,
    query: ThreadQuery,
    reply: { 200: ThreadDetail },
    handle: ({ app, actor, params, query }) => readThread(app, actor, params.id, query),
  }),

  route('chat.threads.change', 'PATCH /chat/threads/{id}', {
    summary: 'Rename a conversation, change its mode, or move it to the archive and back.',
    detail: 'An archived conversation can still be read; a new message takes it out of the archive.',
    access,
    rate: 'global',
    params: ThreadParams,
    body: ThreadEdit,
    reply: { 200: Thread },
    handle: ({ app, actor, params, body }) => changeThread(app, actor, params.id, body),
  }),

  route('chat.threads.delete', 'DELETE /chat/threads/{id}', {
    summary: 'Delete a conversation with all of its messages.',
    detail:
      'While an answer is being written it is refused: stop it first. What was charged stays in the ledger.',
    access,
    rate: 'global',
    params: ThreadParams,
    reply: { 200: ok },
    errors: ['thread_busy'],
    handle: ({ app, actor, params }) => deleteThread(app, actor, params.id),
  }),

  route('chat.messages.send', 'POST /chat/threads/{id}/messages', {
    summary: 'Ask something; the answer is streamed.',
    detail:
      'Frames with `delta` bring the text, the last one the whole message and what it cost. Without an Idempotency-Key, closing the connection stops the answer: what had come is kept and paid for. With one the answer goes on: a retry with the key waits for the last frame and gets it, as often as you like, and POST /chat/threads/{id}/stop ends it. What fails through the fault of a provider or of ours costs nothing, and a retry with the same key takes its place.',
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
    handle: ({ app, actor, params, body, once, open }) =>
      sendMessage(app, actor, params.id, body, once, open),
  }),

  route('chat.messages.quote', 'POST /chat/threads/{id}/quote', {
    summary: 'What a message would cost at most, before it is sent.',
    access,
    rate: 'global',
    params: ThreadParams,
    body: NewMessage,
    reply: { 200: MessageQuote },
    errors: ['prompt_too_long', 'residency_blocked', 'inference_not_configured'],
    handle: ({ app, actor, params, body }) => quoteMessage(app, actor, params.id, body),
  }),

  route('chat.messages.stop', 'POST /chat/threads/{id}/stop', {
    summary: 'Stop the answer that is being written.',
    detail: 'What has come by then is kept and paid for. Who listens to it gets the last frame at once.',
    access,
    rate: 'global',
    params: ThreadParams,
    body: EmptyBody,
    reply: { 200: StopResult },
    handle: ({ app, actor, params }) => stopAnswer(app, actor, params.id),
  }),
]
