// Wrong requests to every route of tasks, each with the expected error. FILES, CLIENT, APPROVAL and OTHER_TURN stand for ids.
import type { ErrorCode } from '@cowrie/server/src/kernel/errors.ts'

/** `field` is the field that the reply names. */
type BadRequest = readonly [what: string, body: unknown, code: ErrorCode, field?: string]

const FIELD = 'invalid_fields'
const ZEROS = '0'.repeat(26)

const clientTask = (more: object): object => ({ workspace: { kind: 'client', name: 'x' }, ...more })
const clientWith = (more: object): object => ({ workspace: { kind: 'client', name: 'x', ...more } })
const TOOL = 'workspace.tools.0'
const tool = (more: object): object => ({
  name: 'a',
  description: 'a',
  inputSchema: { type: 'object' },
  ...more,
})
const deep = (levels: number): object =>
  levels === 0 ? {} : { type: 'object', properties: { a: deep(levels - 1) } }
const filesTask = (...files: unknown[]): object => ({ workspace: { kind: 'files', files } })
const file = (path: string, content: unknown = '', more: object = {}): object => ({ path, content, ...more })
const results = (...list: object[]): object => ({ results: list })
const RESULT = { callId: 'CALL', ok: true, output: '' }
const turn = (more: object): object => ({ prompt: 'x', ...more })
const IMAGE = { name: 'a.png', mediaType: 'image/png', data: 'aGk=' }
const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

const PATHS = [
  ...['', ' ', '.', '../x', 'a/../../x', '/etc/passwd', 'C:/x', 'a\\b', 'a//b', 'a/', './a', '~/x', 'nul'],
  ...['.git/config', 'sub/.GIT/hooks/x', 'git~1/config', 'a\nb', 'a\u202eb', '%2e%2e/x'],
  ...['x'.repeat(241), `${'a/'.repeat(40)}x`],
]

export const BAD_REQUESTS: Readonly<Record<string, readonly BadRequest[]>> = {
  'POST /tasks': [
    ['no workspace', {}, FIELD, 'workspace'],
    ['a list', '[]', FIELD],
    ['a text', '"tasks"', FIELD],
    ['cut JSON', '{"workspace":', 'malformed_json'],
    ['an unknown kind', { workspace: { kind: 'ftp' } }, FIELD, 'workspace.kind'],
    ['a client without a name', { workspace: { kind: 'client' } }, FIELD, 'workspace.name'],
    ['a name of two lines', { workspace: { kind: 'client', name: 'a\nb' } }, FIELD, 'workspace.name'],
    ['tools that are no list', clientWith({ tools: {} }), FIELD, 'workspace.tools'],
    [
      'a tool without a schema',
      clientWith({ tools: [{ name: 'a', description: 'a' }] }),
      FIELD,
      `${TOOL}.inputSchema`,
    ],
    ['a tool named edit', clientWith({ tools: [tool({ name: 'edit' })] }), FIELD, `${TOOL}.name`],
    ['a tool named __proto__', clientWith({ tools: [tool({ name: '__proto__' })] }), FIELD, `${TOOL}.name`],
    [
      'a tool with a text as flag',
      clientWith({ tools: [tool({ isReadOnly: 'yes' })] }),
      FIELD,
      `${TOOL}.isReadOnly`,
    ],
    ['a deep schema', clientWith({ tools: [tool({ inputSchema: deep(11) })] }), FIELD],
    [
      'conventions outside',
      clientWith({ conventions: { path: '../a', text: 'a' } }),
      FIELD,
      'workspace.conventions.path',
    ],
    [
      'blank conventions',
      clientWith({ conventions: { path: 'a', text: ' ' } }),
      FIELD,
      'workspace.conventions.text',
    ],
    ['an empty title', clientTask({ title: ' ' }), FIELD, 'title'],
    ['a long title', clientTask({ title: 'x'.repeat(201) }), FIELD, 'title'],
    ['long instructions', clientTask({ instructions: 'x'.repeat(20_001) }), FIELD, 'instructions'],
    ['a NUL', '{"instructions":"\\u0000"}', 'malformed_json'],
    ['half a surrogate pair', '{"instructions":"\\ud800"}', 'malformed_json'],
    ['an unknown model', clientTask({ model: 'no-such-model' }), 'model_not_found'],
    ['a negative budget', clientTask({ budgetMinor: -1 }), FIELD, 'budgetMinor'],
    ['a budget as text', clientTask({ budgetMinor: '5' }), FIELD, 'budgetMinor'],
    ['a fraction as budget', clientTask({ budgetMinor: 1.5 }), FIELD, 'budgetMinor'],
    ['a budget beyond 64 bits', '{"budgetMinor":9223372036854775808}', FIELD, 'budgetMinor'],
    ['files that are no list', { workspace: { kind: 'files', files: {} } }, FIELD, 'workspace.files'],
    ['a number as content', filesTask(file('a', 7)), FIELD, 'workspace.files.0.content'],
    ['no content', filesTask({ path: 'a' }), FIELD, 'workspace.files.0.content'],
    [
      'an unknown encoding',
      filesTask(file('a', '', { encoding: 'hex' })),
      FIELD,
      'workspace.files.0.encoding',
    ],
    ['no base64', filesTask(file('a', '?!', { encoding: 'base64' })), FIELD, 'workspace.files.0.content'],
    ['a file twice', filesTask(file('a'), file('b'), file('a')), FIELD, 'workspace.files.2.path'],
    ['a file below a file', filesTask(file('a/b'), file('a')), FIELD, 'workspace.files.0.path'],
    ['5,001 files', filesTask(...many(5_001, (n) => file(`f${n}`))), FIELD, 'workspace.files'],
    ['25 MiB', filesTask(...many(5, (n) => file(`f${n}`, 'x'.repeat(5_242_880)))), FIELD, 'workspace.files'],
    [
      'a repository without an owner',
      { workspace: { kind: 'repository', installationId: 'inst_1', repository: 'x' } },
      FIELD,
      'workspace.repository',
    ],
    ...PATHS.map(
      (path): BadRequest => [JSON.stringify(path), filesTask(file(path)), FIELD, 'workspace.files.0.path'],
    ),
  ],
  'GET /tasks?limit=0': [['a limit of 0', undefined, FIELD, 'query.limit']],
  'GET /tasks?cursor=none': [['a broken cursor', undefined, FIELD, 'cursor']],
  'GET /tasks?running=maybe': [['a flag that is none', undefined, FIELD, 'query.running']],
  [`GET /tasks/tsk_${ZEROS}`]: [['an unknown task', undefined, 'not_found']],
  [`GET /tasks/trn_${ZEROS}`]: [['an id of another kind', undefined, 'not_found']],
  'GET /tasks/tsk_%00': [['a NUL', undefined, 'bad_request']],
  'PATCH /tasks/FILES': [
    ['a number as title', { title: 7 }, FIELD, 'title'],
    ['a text as flag', { archived: 'yes' }, FIELD, 'archived'],
    ['an unknown model', { model: 'no-such-model' }, 'model_not_found'],
    ['a negative budget', { budgetMinor: -1 }, FIELD, 'budgetMinor'],
    ['a budget below what is spent', { budgetMinor: 0 }, FIELD, 'budgetMinor'],
    ['tools', { tools: [] }, 'not_client_workspace'],
    ['conventions', { conventions: null }, 'not_client_workspace'],
  ],
  'PATCH /tasks/CLIENT': [
    ['a budget below what the open turn may spend', { budgetMinor: 50_000 }, FIELD, 'budgetMinor'],
    ['a tool twice', { tools: [tool({}), tool({})] }, FIELD, 'tools.1.name'],
    ['no tools', { tools: null }, FIELD, 'tools'],
  ],
  'DELETE /tasks/CLIENT': [['an open turn', undefined, 'turn_running']],
  'POST /tasks/FILES/quote': [
    ['a long prompt', { prompt: 'x'.repeat(200_001) }, FIELD, 'prompt'],
    ['an unknown model', { model: 'no-such-model' }, 'model_not_found'],
  ],
  'POST /tasks/FILES/turns': [
    ['no prompt', {}, FIELD, 'prompt'],
    ['a blank prompt', { prompt: ' \n' }, FIELD, 'prompt'],
    ['a long prompt', { prompt: 'x'.repeat(200_001) }, FIELD, 'prompt'],
    ['a NUL', '{"prompt":"a\\u0000"}', 'malformed_json'],
    ['half a surrogate pair', '{"prompt":"a\\udc00"}', 'malformed_json'],
    ['a maximum of 0', turn({ maxMinor: 0 }), 'budget_too_low'],
    ['a negative maximum', turn({ maxMinor: -5 }), FIELD, 'maxMinor'],
    ['a maximum as text', turn({ maxMinor: '5' }), FIELD, 'maxMinor'],
    ['no command', turn({ verify: {} }), FIELD, 'verify.command'],
    ['a text as flag', turn({ allowSecrets: 'yes' }), FIELD, 'allowSecrets'],
    ['an unknown mode', turn({ mode: 'play' }), FIELD, 'mode'],
    ['a text as summary flag', turn({ compact: 'yes' }), FIELD, 'compact'],
    ['an unknown model', turn({ model: 'no-such-model' }), 'model_not_found'],
    ['eleven attachments', turn({ attachments: many(11, () => IMAGE) }), FIELD, 'attachments'],
    [
      'a large file',
      turn({ attachments: [{ name: 'a', content: 'x'.repeat(2_000_001) }] }),
      FIELD,
      'attachments',
    ],
    ['no base64', turn({ attachments: [{ ...IMAGE, data: '?' }] }), FIELD, 'attachments'],
  ],
  'POST /tasks/CLIENT/turns': [['a second turn', turn({}), 'turn_running']],
  [`POST /tasks/tsk_${ZEROS}/turns`]: [['an unknown task', turn({}), 'not_found']],
  'GET /tasks/FILES/stream?after=-1': [['a negative number', undefined, FIELD, 'query.after']],
  'GET /tasks/FILES/stream?after=1e3': [['a number in another form', undefined, FIELD, 'query.after']],
  'GET /tasks/FILES/stream?after=999999': [['a number beyond the end', undefined, FIELD, 'query.after']],
  [`GET /tasks/tsk_${ZEROS}/stream`]: [['an unknown task', undefined, 'not_found']],
  [`POST /tasks/tsk_${ZEROS}/stop`]: [['an unknown task', undefined, 'not_found']],
  'POST /tasks/CLIENT/tool-results': [
    ['no results', results(), FIELD, 'results'],
    ['33 results', results(...many(33, () => RESULT)), FIELD, 'results'],
    ['an unknown call', results({ ...RESULT, callId: 'call_9_9' }), 'not_found'],
    ['a call with a NUL', results({ ...RESULT, callId: 'call_\u0000' }), 'not_found'],
    ['no verdict', results({ callId: 'CALL', output: '' }), FIELD, 'results.0.ok'],
    ['a long output', results({ ...RESULT, output: 'x'.repeat(1_000_001) }), FIELD, 'results.0.output'],
    ...['../x', '/x', '.git/config', 'a\u0000'].map((path): BadRequest => {
      const changes = [{ path, patch: '' }]
      return [`a change of ${path}`, results({ ...RESULT, changes }), FIELD, 'results.0.changes.0.path']
    }),
  ],
  'POST /tasks/FILES/tool-results': [['a workspace of files', results(RESULT), 'not_client_workspace']],
  'GET /tasks/CLIENT/tool-results/call_9_9': [['an unknown call', undefined, 'not_found']],
  'GET /tasks/CLIENT/tool-results/1': [['an id of another form', undefined, 'not_found']],
  'POST /tasks/APPROVAL/approvals': [
    ['an unknown approval', { approvalId: 'call_9_9', allow: true }, 'not_found'],
    ['no decision', { approvalId: 'call_1_2' }, FIELD, 'allow'],
    ['a text as decision', { approvalId: 'call_1_2', allow: 'yes' }, FIELD, 'allow'],
  ],
  'GET /tasks/FILES/diff?from=1': [['an id of another form', undefined, FIELD, 'query.from']],
  [`GET /tasks/FILES/diff?from=trn_${ZEROS}`]: [['an unknown turn', undefined, 'not_found']],
  'GET /tasks/FILES/diff?from=OTHER_TURN': [['a turn of another task', undefined, 'not_found']],
  'GET /tasks/CLIENT/diff?from=OTHER_TURN': [['an open turn', undefined, 'turn_running']],
  'GET /tasks/FILES/files/missing.txt': [['an unknown file', undefined, 'not_found']],
  'GET /tasks/FILES/files/%2e%2e%2fa.txt': [['a file outside', undefined, 'not_found']],
  'GET /tasks/FILES/files/%2Fetc%2Fpasswd': [['an absolute path', undefined, 'not_found']],
  'GET /tasks/FILES/files/a.txt%00': [['a NUL', undefined, 'bad_request']],
  'GET /tasks/CLIENT/files/a.txt': [['a file of the client', undefined, 'not_found']],
  'POST /tasks/FILES/revert': [
    ['no turn', {}, FIELD, 'turnId'],
    ['an unknown turn', { turnId: `trn_${ZEROS}` }, 'not_found'],
    ['a turn of another task', { turnId: 'OTHER_TURN' }, 'not_found'],
  ],
  'POST /tasks/CLIENT/revert': [['an open turn', { turnId: 'OTHER_TURN' }, 'turn_running']],
  'POST /tasks/FILES/pull-request': [
    ['a workspace of files', {}, 'not_repository_workspace'],
    ['a title of two lines', { title: 'a\nb' }, FIELD, 'title'],
    ['a text as flag', { draft: 'no' }, FIELD, 'draft'],
  ],
  'POST /tasks/CLIENT/pull-request': [['an open turn', {}, 'turn_running']],
}
