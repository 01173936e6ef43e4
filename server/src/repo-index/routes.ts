// Endpoints of the code index.
import { ApiError } from '../kernel/errors.ts'
import { UnstoredReply } from '../platform/http/idempotency/recorded-stream.ts'
import { route } from '../platform/http/route.ts'
import { indexFiles } from './index-files.ts'
import { BODY_BYTES_MAX } from './limits.ts'
import { clearIndex, readIndex } from './manage.ts'
import { FAILED_REWRITES_MAX } from './rewrite/failure-limit.ts'
import { searchRewritten } from './rewrite/rewritten-search.ts'
import {
  Cleared,
  ClearQuery,
  IndexQuery,
  IndexReply,
  IndexRequest,
  IndexState,
  SearchReply,
  SearchRequest,
} from './schema.ts'
import { searchIndex } from './search/search.ts'

const TIMEOUT_MS = 5 * 60_000

export const indexRoutes = [
  route('index.get', 'GET /repo/index', {
    summary: 'Show which code is indexed.',
    detail: 'Lists the files of one repository and all indexed repositories.',
    access: 'any',
    rate: 'global',
    query: IndexQuery,
    reply: { 200: IndexState },
    handle: ({ app, actor, query }) => readIndex(app, actor, query),
  }),

  route('index.add', 'POST /repo/index', {
    summary: 'Index files for the agent, chat and search.',
    detail:
      'Files are split into functions, classes and sections, and embedded. Secrets are masked first. New and changed files cost their tokens at the price of the open lane. A failed call costs nothing.',
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'money',
    idempotency: 'optional',
    isContent: true,
    takesAnyText: true,
    bodyLimitBytes: BODY_BYTES_MAX,
    timeoutMs: TIMEOUT_MS,
    body: IndexRequest,
    reply: { 200: IndexReply },
    errors: [
      'retrieval_not_vector',
      'insufficient_funds',
      'member_cap_reached',
      'price_changed',
      'limit_reached',
      'busy',
      'upstream_failed',
      'upstream_unavailable',
      'upstream_refused',
    ],
    handle: ({ app, actor, body, once, request }) => indexFiles(app, actor, body, once, request.id),
  }),

  route('index.clear', 'DELETE /repo/index', {
    summary: 'Remove a path of a repository from the index, or the whole repository.',
    access: 'any',
    rate: 'global',
    audit: true,
    query: ClearQuery,
    reply: { 200: Cleared },
    handle: ({ app, actor, query, request }) => clearIndex(app, actor, query, request.address),
  }),

  route('index.search', 'POST /repo/search', {
    summary: 'Search your indexed code.',
    detail: `Lexical and semantic search in one repository. Free without \`rewrite\`. At most ${FAILED_REWRITES_MAX} rewrites per hour may fail.`,
    access: { scope: 'agent:run' },
    rate: 'global',
    idempotency: 'optional',
    isFree: ({ rewrite }) => !rewrite,
    isContent: true,
    body: SearchRequest,
    reply: { 200: SearchReply },
    errors: [
      'retrieval_not_vector',
      'org_suspended',
      'kyc_required',
      'insufficient_funds',
      'member_cap_reached',
      'key_budget_exceeded',
      'budget_too_low',
      'too_many_attempts',
    ],
    handle: async ({ app, actor, body, once, request }) => {
      if (app.config.retrieval === 'off') throw new ApiError('retrieval_not_vector')
      return body.rewrite
        ? searchRewritten({ app, actor, body, once, request })
        : new UnstoredReply(once, await searchIndex(app, actor, body, request.gone))
    },
  }),
]
