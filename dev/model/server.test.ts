// The development model over HTTP, as a client of the OpenAI API sees it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from './server.ts'

const countTokens = (text: string) => Math.ceil(text.length / 4)
let model: ModelServer
beforeAll(async () => {
  model = await startModelServer(countTokens)
})
afterAll(() => model.close())

type Message = { role: string; content?: unknown; tool_calls?: Call[]; tool_call_id?: string }
type Call = { id: string; function: { name: string; arguments: string } }
type Completion = {
  choices: { message: { content: string | null; tool_calls?: Call[] }; finish_reason: string }[]
  usage: Record<string, number>
}

const post = (path: string, body: unknown) =>
  fetch(`${model.baseUrl}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const ask = async (messages: Message[], options: object = {}): Promise<Completion> =>
  (
    await post('/chat/completions', { model: 'mock-open', messages, ...options })
  ).json() as Promise<Completion>
const say = async (content: unknown, options: object = {}) => {
  const { choices, usage } = await ask([{ role: 'user', content }], options)
  return { text: choices[0]?.message.content ?? '', finish: choices[0]?.finish_reason, usage }
}

describe('a chat completion', () => {
  test('is answered with token counts, and deterministic', async () => {
    const messages = [{ role: 'user', content: 'What is 12 * 7?' }]
    const first = await post('/chat/completions', { model: 'mock-open', messages })
    const text = await first.text()
    expect(JSON.parse(text)).toMatchObject({
      object: 'chat.completion',
      model: 'mock-open',
      choices: [{ message: { content: expect.stringContaining('**84**') }, finish_reason: 'stop' }],
      usage: { prompt_tokens: countTokens('What is 12 * 7?') + 8 },
    })
    expect(await (await post('/chat/completions', { model: 'mock-open', messages })).text()).toBe(text)
  })

  test('streams the same text in chunks, with usage on request', async () => {
    const messages = [{ role: 'user', content: 'Hello' }]
    const { choices, usage } = await ask(messages)
    const body = { model: 'mock-open', messages, stream: true, stream_options: { include_usage: true } }
    const events = (await (await post('/chat/completions', body)).text()).trim().split('\n\n')
    expect(events.at(-1)).toBe('data: [DONE]')
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)))
    const pieces = chunks.flatMap((chunk) => chunk.choices[0]?.delta.content || [])
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.join('')).toBe(choices[0]?.message.content)
    expect(chunks.at(-2).choices[0].finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
  })

  test('respects the smaller limit and reports the truncation', async () => {
    const { text, finish, usage } = await say('Hello', { max_tokens: 5, max_completion_tokens: 50 })
    expect(finish).toBe('length')
    expect(text.length).toBeLessThanOrEqual(20)
    expect(usage.completion_tokens).toBeLessThanOrEqual(5)
  })

  test.for([
    ['Who are you?', 'No model provider is configured here'],
    ['How much does a run cost?', 'Failed work is free'],
    ['what is 7.5% of 20,000?', '**1500**'],
    ['what is 1 / 0?', 'has no result'],
    [
      'Explain:\n```js\nexport async function load() {\n  return await fetch(url)\n}\n```',
      'Line 2 calls the network',
    ],
    ['Compose a symphony', 'I cannot do this'],
    ['', 'I cannot do this'],
  ] as const)('of %j gets a known answer and the identity of the model', async ([asked, expected]) => {
    const { text } = await say([{ type: 'text', text: asked }])
    expect(text).toContain(expected)
    expect(text).toContain('I am the built-in development model')
  })

  test('gets a title from the first words of the conversation', async () => {
    const system = { role: 'system', content: 'Generate a short title for this conversation.' }
    const { choices } = await ask([system, { role: 'user', content: 'Fix the login page. It is broken.' }])
    expect(choices[0]?.message.content).toBe('Fix the login page')
  })
})

const tool = (name: string, properties: Record<string, string>, required = Object.keys(properties)) => ({
  type: 'function',
  function: {
    name,
    parameters: {
      properties: Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }])),
      required,
    },
  },
})
const OPENCODE = [
  tool('read', { filePath: 'string', limit: 'number' }, ['filePath']),
  tool('edit', { filePath: 'string', oldString: 'string', newString: 'string' }),
  tool('write', { filePath: 'string', content: 'string' }),
  tool('bash', { command: 'string', description: 'string' }),
]
const CODEX = [tool('shell', { command: 'array', timeout: 'number' }, ['command'])]

/** The tools of tasks. */
const TASK_TOOLS = [
  tool('list', { path: 'string', depth: 'integer', pattern: 'string' }, []),
  tool('read', { path: 'string', from: 'integer', to: 'integer' }, ['path']),
  tool('search', { query: 'string', kind: 'string' }),
  tool('edit', { path: 'string', edits: 'array' }),
  tool('create', { path: 'string', content: 'string', overwrite: 'boolean' }, ['path', 'content']),
  tool('delete', { path: 'string' }),
  tool('run', { command: 'string', timeoutSeconds: 'integer' }, ['command']),
]
const OTHERS = { 'lib/one.js': 'x\n', 'lib/two.js': 'y\n', 'lib/three.js': 'z\n' }

type Edit = { find: string; replace: string }

function runTaskTool(files: Map<string, string>, name: string, input: Record<string, unknown>): string {
  const { path, content, edits, query } = input as {
    path: string
    content: string
    edits: Edit[]
    query: string
  }
  const text = files.get(path)
  if (name === 'list') return [...files.keys()].map((each) => `${each}  1.0 KB`).join('\n')
  if (name === 'search')
    return [...files].flatMap(([at, all]) => (all.includes(query) ? [`${at}:1: ${all}`] : [])).join('\n')
  if (name === 'run')
    return 'Exit code 1.\n| not ok 1 - add\n|   at file:///tmp/w/test/kobo.test.js:1:20\n| # fail 1'
  if (name === 'create') return files.set(path, content) && `Created ${path} with 1 line.`
  if (text === undefined) return `There is no file ${path}. The workspace has 4 files; use list or search.`
  if (name === 'edit')
    files.set(
      path,
      edits.reduce((all, { find, replace }) => all.replace(find, replace), text),
    )
  const numbered = text
    .trimEnd()
    .split('\n')
    .map((line, i) => `${i + 1}| ${line}`)
  return name === 'read'
    ? `${path}: lines 1-${numbered.length} of ${numbered.length}.\n${numbered.join('\n')}`
    : 'Done.'
}

/** Lets the model call tools until it answers. */
async function converse(
  task: string,
  tools: object[],
  run: (name: string, input: Record<string, unknown>) => string,
  system: Message = { role: 'system', content: 'You are a coding agent.' },
) {
  const messages: Message[] = [system, { role: 'user', content: task }]
  const calls: [name: string, input: Record<string, unknown>][] = []
  for (;;) {
    const { choices } = await ask(messages, { tools })
    const message = choices[0]?.message
    const call = message?.tool_calls?.[0]
    if (!message || !call) return { calls, text: message?.content ?? '', finish: choices[0]?.finish_reason }
    const input = JSON.parse(call.function.arguments)
    calls.push([call.function.name, input])
    messages.push({ role: 'assistant', ...message })
    messages.push({ role: 'tool', tool_call_id: call.id, content: run(call.function.name, input) })
    if (calls.length > 20) throw new Error('the model does not finish')
  }
}

describe('with tools', () => {
  const FILE = 'export function add(a, b) {\n  return a - b\n}\n'
  const TEST = "test('add', () => assert.equal(add(2, 3), 5))\n"
  const TASK = 'Fix src/kobo.js so that the test in test/kobo.test.js passes.'

  test('it reads, edits, runs the tests and answers', async () => {
    const numbered = (text: string) =>
      `<file>\n${text
        .split('\n')
        .map((line, i) => `${String(i + 1).padStart(5, '0')}| ${line}`)
        .join('\n')}\n\n(End of file - total 3 lines)\n</file>`
    const { calls, text, finish } = await converse(TASK, OPENCODE, (name, { filePath }) =>
      name === 'read'
        ? numbered(filePath === 'src/kobo.js' ? FILE : TEST)
        : name === 'bash'
          ? '# pass 1\n# fail 0'
          : 'Done.',
    )
    expect(calls).toEqual([
      ['read', { filePath: 'src/kobo.js' }],
      ['read', { filePath: 'test/kobo.test.js' }],
      ['edit', { filePath: 'src/kobo.js', oldString: '  return a - b', newString: '  return a + b' }],
      ['bash', { command: 'npm test', description: 'One step' }],
    ])
    expect(finish).toBe('stop')
    expect(text).toMatch(
      /Fixed `add`[\s\S]*# fail 0[\s\S]*built-in development model|Fixed `add`[\s\S]*development model[\s\S]*# fail 0/,
    )
  })

  test('it works with only a shell', async () => {
    const { calls, text } = await converse('Rename add to plus in a.js', CODEX, () =>
      JSON.stringify({ output: FILE, metadata: { exit_code: 0 } }),
    )
    expect(calls).toEqual([
      ['shell', { command: ['bash', '-lc', 'cat a.js'] }],
      [
        'shell',
        { command: ['bash', '-lc', `cat > a.js <<'END_OF_FILE'\n${FILE.replace('add', 'plus')}END_OF_FILE`] },
      ],
    ])
    expect(text).toContain('Renamed `add` to `plus` in a.js.')
  })

  test('it writes a new file, and answers a question without tools', async () => {
    const created = await converse('Add a function multiply to src/new.ts', OPENCODE, (name) =>
      name === 'read' ? 'Error: file not found' : 'Wrote file.',
    )
    expect(created.calls.map(([name]) => name)).toEqual(['read', 'write'])
    expect((await converse('Hello!', OPENCODE, () => '')).calls).toEqual([])
  })

  test.for<[task: string, files: Record<string, string>, calls: string[], expected: Record<string, RegExp>]>([
    [
      'Add a function multiply to kobo.js',
      { 'src/kobo.js': FILE, 'README.md': 'Kobo' },
      ['list', 'read src/kobo.js', 'edit src/kobo.js'],
      { 'src/kobo.js': /function multiply\(a, b\)/ },
    ],
    [
      'Fix the failing test',
      { 'src/kobo.js': FILE, 'test/kobo.test.js': `import { test } from 'node:test'\n${TEST}` },
      ['list', 'read src/kobo.js', 'read test/kobo.test.js', 'edit src/kobo.js', 'run node --test'],
      { 'src/kobo.js': /a \+ b/ },
    ],
    [
      'Fix the failing test',
      { ...OTHERS, 'lib/kobo.js': FILE, 'test/kobo.test.js': TEST },
      [
        ...['list', 'run npm test', 'read test/kobo.test.js', 'read lib/kobo.js', 'edit lib/kobo.js'],
        'run npm test',
      ],
      { 'lib/kobo.js': /a \+ b/ },
    ],
    [
      'Rename add to plus',
      { ...OTHERS, 'lib/kobo.js': FILE, 'lib/use.js': 'add(1, 2)\n' },
      ['list', 'search add', 'read lib/kobo.js', 'read lib/use.js', 'edit lib/kobo.js', 'edit lib/use.js'],
      { 'lib/kobo.js': /plus\(a, b\)/, 'lib/use.js': /plus\(1, 2\)/ },
    ],
    [
      'Create the file docs/notes.md with the text "Hello"',
      { 'README.md': 'Kobo' },
      ['list', 'read docs/notes.md', 'create docs/notes.md'],
      { 'docs/notes.md': /^Hello\n$/ },
    ],
    ['Compose a symphony', { 'README.md': 'Kobo' }, [], {}],
  ])('it works on the files of a task: %s', async ([task, before, expected, after]) => {
    const files = new Map(Object.entries(before))
    const { calls, text } = await converse(task, TASK_TOOLS, (name, input) => runTaskTool(files, name, input))
    const shown = calls.map(([name, { path, query, command }]) =>
      [name, path ?? query ?? command ?? []].flat().join(' '),
    )
    expect(shown).toEqual(expected)
    for (const [path, content] of Object.entries(after)) expect(files.get(path)).toMatch(content)
    expect(text).toContain('I am the built-in development model')
  })

  test('it runs the command that verifies the task', async () => {
    const system = { role: 'system', content: 'The result is verified with this command: "make check"' }
    const files = new Map([['kobo.js', FILE]])
    const { calls } = await converse(
      'Fix the test in kobo.js',
      TASK_TOOLS,
      (name, input) => runTaskTool(files, name, input),
      system,
    )
    expect(calls.at(-1)).toEqual(['run', { command: 'make check' }])
    const failed =
      'The tests fail. Correct the code.\n<<tests 0a1b2c3d command="make test">>\nx\n<<end 0a1b2c3d>>'
    const again = await converse(failed, TASK_TOOLS, (name, input) => runTaskTool(files, name, input))
    expect(again.calls.at(-1)).toEqual(['run', { command: 'make test' }])
  })

  test('it does not claim an edit that failed or was not made', async () => {
    const files = () => new Map(Object.entries({ ...OTHERS, 'a.js': FILE, 'b.js': FILE, 'c.js': FILE }))
    const refused = await converse('Rename add to plus', TASK_TOOLS, (name, input) =>
      name === 'edit'
        ? 'Nothing was changed in a.js.\nEdit 1: the text to find occurs twice.'
        : runTaskTool(files(), name, input),
    )
    expect(refused.text).toMatch(/^I could not change a\.js, b\.js, c\.js\./)
    const cut = await converse('Rename add to plus and write a test for plus', TASK_TOOLS, (name, input) =>
      runTaskTool(files(), name, input),
    )
    expect(cut.calls).toHaveLength(8)
    expect(cut.text).toMatch(/^I could not change a\.test\.js\./)
    const more = { ...Object.fromEntries(files()), 'd.js': FILE }
    const missed = await converse('Rename add to plus', TASK_TOOLS, (name, input) =>
      runTaskTool(new Map(Object.entries(more)), name, input),
    )
    expect(missed.text).toMatch(/^I could not change d\.js\./)
  })

  test.for(['', 'Error: permission denied', '{"output":null}', 'x'.repeat(10_000)])(
    'it finishes when every tool returns %j',
    async (result) => {
      const { calls, text } = await converse(TASK, OPENCODE, () => result)
      expect(calls.length).toBeLessThanOrEqual(8)
      expect(text).toContain('I am the built-in development model')
    },
  )
})

describe('the server', () => {
  test('lists its models', async () => {
    const { data } = (await (await fetch(`${model.baseUrl}/models`)).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['mock-open', 'mock-frontier'])
  })

  test('embeds equal texts equally and similar ones closely', async () => {
    const input = ['wallet balance', 'the balance of a wallet', 'jollof rice', 'wallet balance']
    const reply = await post('/embeddings', { model: 'mock-open', input })
    const { data, usage } = (await reply.json()) as { data: { embedding: number[] }[]; usage: object }
    const [first = [], second = [], third = [], same] = data.map(({ embedding }) => embedding)
    const likeness = (other: number[]) => first.reduce((sum, each, i) => sum + each * (other[i] ?? 0), 0)
    expect(first).toHaveLength(512)
    expect(same).toEqual(first)
    expect(likeness(second)).toBeGreaterThan(likeness(third) + 0.3)
    expect(usage).toMatchObject({ prompt_tokens: expect.any(Number) })
    const packed = await post('/embeddings', { input: 'x', dimensions: 4, encoding_format: 'base64' })
    const list = (await packed.json()) as { data: { embedding: string }[] }
    expect(Buffer.from(list.data[0]?.embedding ?? '', 'base64')).toHaveLength(16)
  })

  test.for([
    ['/responses', '{}', 404],
    ['/chat/completions', '{', 400],
    ['/chat/completions', '{}', 400],
    ['/chat/completions', '{"messages":[null]}', 400],
  ] as const)('responds to %s with the body %j by %i', async ([path, body, status]) => {
    expect((await post(path, body)).status).toBe(status)
  })
})
