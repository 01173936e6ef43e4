// Routes of tasks, in the order of typical use.
import { answer } from '../platform/http/answer.ts'
import { prefersType } from '../platform/http/reply/accept.ts'
import { raw, route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { patchTask, removeTask, stopTask } from './api/change-task.ts'
import { createTask } from './api/create-task.ts'
import { listTaskFiles } from './api/list-files.ts'
import { listOpenRepositories, listRepositoryBranches } from './api/list-repositories.ts'
import { publishTask } from './api/publish-task.ts'
import { quoteNewTask, quoteTaskTurn } from './api/quote-turn.ts'
import { listVisibleTasks, readTask } from './api/read-task.ts'
import { rejectChanges } from './api/reject-changes.ts'
import { startTurn } from './api/start-turn.ts'
import { streamTask } from './api/stream-task.ts'
import { diffTask, readTaskFile, revertTask, toPatch } from './api/task-files.ts'
import { decideApproval, readToolOutput, takeToolResults } from './api/tool-results.ts'
import { TaskFrame } from './frame-schema.ts'
import {
  Approval,
  BODY_BYTES,
  NewPullRequest,
  NewTask,
  NewTurn,
  Rejection,
  Revert,
  TaskPatch,
  TaskQuoteRequest,
  ToolResults,
  TurnQuoteRequest,
} from './request-schema.ts'
import {
  BranchesQuery,
  CallParams,
  DiffQuery,
  FileParams,
  FilesQuery,
  FullOutput,
  InstallationParams,
  OpenRepositories,
  PublishedPullRequest,
  Rejected,
  RepositoryBranches,
  Reverted,
  StartedTurn,
  StreamQuery,
  Task,
  TaskDiff,
  TaskFiles,
  TaskPage,
  TaskParams,
  TaskQuery,
  TasksQuery,
  ToolResultsReply,
  TurnQuote,
} from './schema.ts'

const access = { scope: 'agent:run' } as const
const TURN_BODY_BYTES = 8 * 1024 * 1024
const GITHUB_TIMEOUT_MS = 60_000
const PATCH = 'text/x-diff'
const FILE_REPLY = 'The content of the file. A file that is not text has the type application/octet-stream.'

export const taskRoutes = [
  route('tasks.create', 'POST /tasks', {
    summary: 'Create a task: a conversation with the agent about a workspace.',
    detail:
      'The workspace is files that you send, a repository of a GitHub App installation at a ref, or a folder on your machine whose tools you run (`client`). Nothing is charged until a turn starts. The body may be compressed with gzip or zstd.',
    access,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    bodyLimitBytes: BODY_BYTES,
    timeoutMs: GITHUB_TIMEOUT_MS,
    body: NewTask,
    reply: { 201: Task },
    errors: [
      'model_not_found',
      'model_not_allowed',
      'too_many_tasks',
      'not_found',
      'repository_not_found',
      'ref_not_found',
      'installation_unavailable',
      'installation_unproven',
      'permission_missing',
      'github_unavailable',
      'not_configured',
      'residency_blocked',
      'inference_not_configured',
    ],
    handle: ({ app, actor, body, once, request }) => createTask(app, actor, body, once, request.gone),
  }),

  route('tasks.list', 'GET /tasks', {
    summary: 'List your tasks, last used first.',
    detail: 'Admins see the tasks of all members. Tasks are kept for a year after their last use.',
    access,
    rate: 'global',
    query: TasksQuery,
    reply: { 200: TaskPage },
    handle: ({ app, actor, query }) => listVisibleTasks(app, actor, query),
  }),

  route('tasks.get', 'GET /tasks/{id}', {
    summary: 'Show a task with its turns, and what an open turn waits for.',
    detail:
      'The turns are in order, each with its cost, summary, verification and the secrets that were withheld. The events after `lastSeq` are newer than this reply.',
    access,
    rate: 'global',
    params: TaskParams,
    query: TaskQuery,
    reply: { 200: Task },
    handle: ({ app, actor, params, query }) => readTask(app, actor, params.id, query.turns),
  }),

  route('tasks.patch', 'PATCH /tasks/{id}', {
    summary: 'Change the title, model, budget or instructions of a task, or archive it.',
    detail:
      'A turn under way continues with the values of its start. Client workspaces also change their tools and conventions here.',
    access,
    rate: 'global',
    params: TaskParams,
    body: TaskPatch,
    reply: { 200: Task },
    errors: [
      'model_not_found',
      'model_not_allowed',
      'residency_blocked',
      'inference_not_configured',
      'not_client_workspace',
    ],
    handle: ({ app, actor, params, body }) => patchTask(app, actor, params.id, body),
  }),

  route('tasks.delete', 'DELETE /tasks/{id}', {
    summary: 'Delete a task with its transcript and files.',
    detail: 'The ledger entries stay, and so does a pull request. Stop a turn under way first.',
    access,
    rate: 'global',
    audit: true,
    params: TaskParams,
    reply: { 200: ok },
    errors: ['turn_running'],
    handle: ({ app, actor, params, request }) => removeTask(app, actor, params.id, request),
  }),

  route('tasks.quoteNew', 'POST /tasks/quote', {
    summary: 'Quote the first turn of a task before the task exists.',
    detail: 'Nothing is created and no money is held. `maxMinor` of the started turn is never exceeded.',
    access,
    rate: 'global',
    bodyLimitBytes: TURN_BODY_BYTES,
    body: TaskQuoteRequest,
    reply: { 200: TurnQuote },
    errors: ['model_not_found', 'model_not_allowed', 'residency_blocked', 'inference_not_configured'],
    handle: ({ app, actor, body }) => quoteNewTask(app, actor, body),
  }),

  route('tasks.quote', 'POST /tasks/{id}/quote', {
    summary: 'Quote the cost of a turn before it starts.',
    detail: 'No money is held. `usuallyMinor` is what comparable turns cost; `maxMinor` is never exceeded.',
    access,
    rate: 'global',
    bodyLimitBytes: TURN_BODY_BYTES,
    params: TaskParams,
    body: TurnQuoteRequest,
    reply: { 200: TurnQuote },
    errors: ['model_not_found', 'model_not_allowed', 'residency_blocked', 'inference_not_configured'],
    handle: ({ app, actor, params, body }) => quoteTaskTurn(app, actor, params.id, body),
  }),

  route('tasks.turn', 'POST /tasks/{id}/turns', {
    summary: 'Start a turn: the agent works on a request.',
    detail:
      'The turn runs in the background and survives a closed connection, a crash and a deployment: follow the stream or poll the task. Every model call is held before and charged after; the turn never costs more than `maxMinor`, and a failed call is free. A task has one turn at a time.',
    access,
    paid: true,
    rate: 'global',
    idempotency: 'required',
    isContent: true,
    bodyLimitBytes: TURN_BODY_BYTES,
    params: TaskParams,
    body: NewTurn,
    reply: { 202: StartedTurn },
    errors: [
      'turn_running',
      'too_many_turns',
      'too_many_open_turns',
      'too_many_attempts',
      'insufficient_funds',
      'member_cap_reached',
      'budget_too_low',
      'model_not_found',
      'model_not_allowed',
      'residency_blocked',
      'inference_not_configured',
    ],
    handle: ({ app, actor, params, body, once }) => startTurn(app, actor, params.id, body, once),
  }),

  route('tasks.stream', 'GET /tasks/{id}/stream', {
    summary: 'Follow a task: past events first, then new ones.',
    detail:
      'Events are numbered and stored, so any device can continue after the last `seq` it has. Append the pieces of `message` and `reasoning` with the same `step` and `attempt`; a higher `attempt` replaces the text. A stream lasts at most 30 minutes; reconnect with `after`.',
    access,
    rate: 'global',
    params: TaskParams,
    query: StreamQuery,
    stream: TaskFrame,
    isStreamCompressed: true,
    handle: ({ app, actor, params, query, request, open }) =>
      streamTask(app, actor, { id: params.id, ...query }, { request, open }),
  }),

  route('tasks.stop', 'POST /tasks/{id}/stop', {
    summary: 'Stop the turn under way.',
    detail:
      'The step in progress is finished and charged; the work so far is kept. A turn that waits or has not begun ends at once. Without a turn nothing happens.',
    access,
    rate: 'global',
    params: TaskParams,
    reply: { 200: Task },
    handle: ({ app, actor, params }) => stopTask(app, actor, params.id),
  }),

  route('tasks.toolResults', 'POST /tasks/{id}/tool-results', {
    summary: 'Send the results of tools that you ran for a client workspace.',
    detail:
      'The turn continues when all its calls have results. A call takes one result: repeated ones are ignored. An unknown call is a 404, and then nothing is stored. A result that resembles an earlier one can be sent as the difference from it; if the service cannot rebuild it, the reply is 409 `base_unknown` with the `callId`, nothing is stored, and the client sends that output whole.',
    access,
    rate: 'global',
    takesAnyText: true,
    bodyLimitBytes: TURN_BODY_BYTES,
    params: TaskParams,
    body: ToolResults,
    reply: { 200: ToolResultsReply },
    errors: ['not_client_workspace', 'not_found', 'base_unknown'],
    handle: ({ app, actor, params, body }) => takeToolResults(app, actor, params.id, body),
  }),

  route('tasks.toolOutput', 'GET /tasks/{id}/tool-results/{callId}', {
    summary: 'Show the whole result of a tool call.',
    detail:
      'With its complete input. The events and the model get at most 60,000 characters of an output; up to 1 MiB is stored. `output` is null while the call has no result.',
    access,
    rate: 'global',
    params: CallParams,
    reply: { 200: FullOutput },
    handle: ({ app, actor, params }) => readToolOutput(app, actor, params.id, params.callId),
  }),

  route('tasks.approve', 'POST /tasks/{id}/approvals', {
    summary: 'Allow or decline a call that needs an approval.',
    detail: 'Such calls change files that run by themselves, such as workflows and hooks.',
    access,
    rate: 'global',
    params: TaskParams,
    body: Approval,
    reply: { 200: Task },
    errors: ['not_found'],
    handle: ({ app, actor, params, body }) => decideApproval(app, actor, params.id, body),
  }),

  route('tasks.diff', 'GET /tasks/{id}/diff', {
    summary: 'Show what the task changed.',
    detail:
      'As JSON with a patch for each file, or as one patch for `git apply` with `Accept: text/x-diff`. With `from`, only what changed after that turn.',
    access,
    rate: 'global',
    params: TaskParams,
    query: DiffQuery,
    reply: { 200: TaskDiff },
    also: { [PATCH]: 'The difference as one patch.' },
    errors: ['turn_running', 'not_found'],
    async handle({ app, actor, params, query, request }) {
      const difference = await diffTask(app, actor, params.id, query.from)
      if (!prefersType(request.headers.accept, PATCH)) return difference
      return answer(200, toPatch(difference.files), { 'content-type': `${PATCH}; charset=utf-8` })
    },
  }),

  route('tasks.files', 'GET /tasks/{id}/files', {
    summary: 'List a folder of the workspace as it is now.',
    detail:
      'Folders first, with the changes of all turns. Read a folder below with its path as `prefix`. A client workspace has no files here.',
    access,
    rate: 'global',
    timeoutMs: GITHUB_TIMEOUT_MS,
    params: TaskParams,
    query: FilesQuery,
    reply: { 200: TaskFiles },
    errors: ['is_client_workspace', 'installation_unavailable', 'repository_not_found', 'github_unavailable'],
    handle: ({ app, actor, params, query, request }) =>
      listTaskFiles(app, actor, { id: params.id, prefix: query.prefix ?? '' }, request.gone),
  }),

  route('tasks.file', 'GET /tasks/{id}/files/{path}', {
    summary: 'Read a file of the workspace as it is now.',
    detail:
      'With the changes of all turns. The path may contain slashes. A client workspace has no files here.',
    access,
    rate: 'global',
    timeoutMs: GITHUB_TIMEOUT_MS,
    params: FileParams,
    reply: { 200: raw('text/plain; charset=utf-8', FILE_REPLY) },
    also: { 'text/plain': 'Text.', 'application/octet-stream': 'A file that is not text.' },
    errors: ['installation_unavailable', 'repository_not_found', 'github_unavailable'],
    handle: ({ app, actor, params, request }) =>
      readTaskFile(app, actor, params.id, params.path, request.gone),
  }),

  route('tasks.revert', 'POST /tasks/{id}/revert', {
    summary: 'Restore the workspace as a turn or a change left it.',
    detail:
      'Later changes stay in the history, so this can be undone in the same way: revert to the change before.',
    access,
    rate: 'global',
    params: TaskParams,
    body: Revert,
    reply: { 200: Reverted },
    errors: ['turn_running', 'is_client_workspace', 'limit_reached', 'files_changed', 'not_found'],
    handle: ({ app, actor, params, body }) => revertTask(app, actor, params.id, body),
  }),

  route('tasks.reject', 'POST /tasks/{id}/reject', {
    summary: 'Reject changes of a task, by hunk or by file.',
    detail:
      'Takes the hunks of the difference back. Every device and the next turn see the result, and the model learns of it. `files` of the reply are the differences that remain. If a file has changed since you read it, nothing is rejected.',
    access,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    params: TaskParams,
    body: Rejection,
    reply: { 200: Rejected },
    errors: ['turn_running', 'is_client_workspace', 'limit_reached', 'files_changed', 'not_found'],
    handle: ({ app, actor, params, body, once }) => rejectChanges(app, actor, params.id, body, once),
  }),

  route('tasks.pullRequest', 'POST /tasks/{id}/pull-request', {
    summary: 'Open a pull request with the changes of the task, or update it.',
    detail:
      'A branch with a commit and a draft pull request with summary, evidence and cost. Later turns update it. The App needs `contents: write` and `pull_requests: write`; without them the reply names what to grant, and the patch stays downloadable. A branch that others moved is never overwritten.',
    access,
    rate: 'global',
    audit: true,
    timeoutMs: GITHUB_TIMEOUT_MS,
    params: TaskParams,
    body: NewPullRequest,
    reply: { 200: PublishedPullRequest },
    errors: [
      'turn_running',
      'not_repository_workspace',
      'no_changes',
      'permission_missing',
      'installation_unavailable',
      'branch_exists',
      'branch_moved',
      'pull_request_closed',
      'push_refused',
      'not_configured',
      'repository_not_found',
      'github_unavailable',
    ],
    handle: ({ app, actor, params, body, request }) => publishTask(app, actor, params.id, body, request),
  }),

  route('vcs.installations.repositories', 'GET /vcs/installations/{id}/repositories', {
    summary: 'List the repositories of an installation that a task can start from.',
    detail: 'The first 100, without repositories that your organisation may not open.',
    access,
    rate: 'global',
    timeoutMs: GITHUB_TIMEOUT_MS,
    params: InstallationParams,
    reply: { 200: OpenRepositories },
    errors: ['installation_unavailable', 'github_unavailable', 'not_configured'],
    handle: ({ app, actor, params, request }) => listOpenRepositories(app, actor, params.id, request.gone),
  }),

  route('vcs.installations.branches', 'GET /vcs/installations/{id}/branches', {
    summary: 'List the branches of a repository.',
    detail: 'The default branch, then the first 100 others.',
    access,
    rate: 'global',
    timeoutMs: GITHUB_TIMEOUT_MS,
    params: InstallationParams,
    query: BranchesQuery,
    reply: { 200: RepositoryBranches },
    errors: [
      'installation_unavailable',
      'repository_not_found',
      'permission_missing',
      'github_unavailable',
      'not_configured',
    ],
    handle: ({ app, actor, params, query, request }) =>
      listRepositoryBranches(app, actor, { id: params.id, repository: query.repository }, request.gone),
  }),
]
