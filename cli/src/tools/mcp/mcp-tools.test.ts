// MCP servers as tools: a server of the official SDK, and servers that misbehave.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSandbox } from '@cowrie/testkit/sandbox/host-support.ts'
import { describe, expect, test } from 'vitest'
import { callOf, run, useMcpPlace } from '../../../test/mcp-place.ts'
import { toolName } from './tool-list.ts'

const { place, connect } = useMcpPlace()
const { home, notes, questions } = place

/** A server with the official SDK. */
const official = (() => {
  const path = join(home, 'official.mjs')
  const from = (name: string) => JSON.stringify(import.meta.resolve(`@modelcontextprotocol/sdk/${name}`))
  writeFileSync(
    path,
    `import { Server } from ${from('server/index.js')}
import { StdioServerTransport } from ${from('server/stdio.js')}
import { CallToolRequestSchema, ListToolsRequestSchema } from ${from('types.js')}
const server = new Server({ name: 'official', version: '1' }, { capabilities: { tools: {} } })
const schema = { type: 'object', properties: { text: { type: 'string' } } }
server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => params?.cursor
  ? { tools: [{ name: 'Env', inputSchema: schema }, { name: 'env', inputSchema: schema }] }
  : { tools: [{ name: 'echo', description: 'Echoes \\u001b[2J text', inputSchema: schema, annotations: { readOnlyHint: true } }, { name: 'picture', inputSchema: schema }, { name: 'fail', inputSchema: schema }, { name: 'roots', inputSchema: schema }], nextCursor: 'more' })
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const text = (text) => ({ content: [{ type: 'text', text }] })
  if (params.name === 'echo') return text(String(params.arguments?.text))
  if (params.name === 'picture') return { content: [{ type: 'text', text: 'see' }, { type: 'image', data: 'AAAA', mimeType: 'image/png' }, { type: 'resource_link', uri: 'file:///x', name: 'x' }] }
  if (params.name === 'fail') return { ...text('no such thing'), isError: true }
  if (params.name === 'roots') return text(JSON.stringify((await server.listRoots()).roots))
  return text(JSON.stringify(process.env))
})
await server.connect(new StdioServerTransport())`,
  )
  return { command: process.execPath, args: [path] }
})()

/** A server by hand. `answer` is the body of a function of (message, say). */
function script(name: string, answer: string): { command: string; args: string[] } {
  const path = join(home, `${name}.mjs`)
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline'
import fs from 'node:fs'
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const hello = (id) => say({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } })
const list = (id, ...names) => say({ id, result: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) } })
for await (const line of createInterface({ input: process.stdin })) { const message = JSON.parse(line); const { id, method, params } = message; ${answer} }`,
  )
  return { command: process.execPath, args: [path] }
}
const USUAL = `if (method === 'initialize') hello(id); else if (method === 'tools/list') list(id, 'go');`

describe('a server of the user', () => {
  test('offers its tools, answers calls and gets no keys', async () => {
    const tools = await connect({
      official: { ...official, env: { GIVEN: `$\{CHOSEN}-$\{MISSING:-usual}-$\{COWRIE_API_KEY}` } },
    })
    expect(notes).toEqual([])
    expect(tools.names).toEqual([
      'mcp_official_echo',
      'mcp_official_picture',
      'mcp_official_fail',
      'mcp_official_roots',
      'mcp_official_env',
      'mcp_official_env_2',
    ])
    expect(tools.definitions[0]).toEqual({
      name: 'mcp_official_echo',
      description: 'Of the MCP server official, which is not part of Cowrie. Echoes  text',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      isReadOnly: true,
    })
    expect(await run(tools, 'mcp_official_echo', { text: 'hi \x1b]0;x\x07there' })).toMatchObject({
      ok: true,
      output: 'The MCP server official answered:\n| hi there',
    })
    expect((await run(tools, 'mcp_official_picture')).output).toContain(
      '| see\n| [image (image/png) left out]\n| [link to file:///x]',
    )
    expect(await run(tools, 'mcp_official_fail')).toMatchObject({
      ok: false,
      output: 'The MCP server official reports an error:\n| no such thing',
    })
    expect((await run(tools, 'mcp_official_roots')).output).toContain(place.root)
    const { output } = await run(tools, 'mcp_official_env')
    expect(output).toContain('"GIVEN":"chosen-usual-"')
    expect(output).not.toMatch(/csk_own|ghp_own/)
    expect(tools.running()).toEqual([{ kind: 'mcp', name: 'official', state: '6 tools' }])
  })

  test('is asked for, except to read; then its word counts because the user chose it', async () => {
    const tools = await connect({ official })
    expect(await tools.assess(callOf('mcp_official_echo'))).toEqual({ kind: 'free' })
    expect(await tools.assess(callOf('mcp_official_fail', { text: 'x' }))).toMatchObject({
      kind: 'ask',
      about: 'tool',
      subject: 'mcp_official_fail',
      patterns: ['mcp_official_fail'],
    })
    expect(await tools.assess(callOf('mcp_official_none'))).toMatchObject({ kind: 'refused' })
  })

  test('that crashes is reported and started again, but not endlessly', async () => {
    const crash = script(
      'crash',
      `${USUAL} else if (method === 'tools/call') { if (params.arguments.crash) { console.error('out of luck'); process.exit(3) } say({ id, result: { content: [{ type: 'text', text: 'fine' }] } }) }`,
    )
    const tools = await connect({ crash })
    for (let i = 0; i < 3; i++) {
      const { ok, output } = await run(tools, 'mcp_crash_go', { crash: true })
      expect([ok, output]).toEqual([
        false,
        expect.stringMatching(
          /ended \(exit code 3\); it said: out of luck.*It may have done what was asked/s,
        ),
      ])
      expect((await run(tools, 'mcp_crash_go')).output).toContain('| fine')
    }
    await run(tools, 'mcp_crash_go', { crash: true })
    expect((await run(tools, 'mcp_crash_go')).output).toContain('not started again in this session')
  })

  test('that is silent, or that the user stops, does not hold up the session', async () => {
    const silent = script('silent', USUAL)
    const tools = await connect({ silent: { ...silent, timeoutSeconds: 1 } })
    expect((await run(tools, 'mcp_silent_go')).output).toContain('did not answer within 1 s')
    const stop = new AbortController()
    const stopped = run(tools, 'mcp_silent_go', {}, stop.signal)
    stop.abort()
    expect((await stopped).output).toContain('the user stopped the call')
  })

  test('that answers too much or nonsense is limited', async () => {
    const wild = script(
      'wild',
      `if (method === 'initialize') { process.stdout.write('hello\\n{"x\\n[]\\nnull\\n'); hello(id) }
       else if (method === 'tools/list') list(id, 'long', 'huge', '../../etc', '', 'x'.repeat(300), 'ÄÖ', 'none')
       else if (params?.name === 'long') say({ id, result: { content: [{ type: 'text', text: 'y'.repeat(900000) }] } })
       else if (params?.name === 'huge') process.stdout.write('z'.repeat(9000000) + '\\n')
       else if (method === 'tools/call') say({ id, result: { content: 'no list' } })`,
    )
    const tools = await connect({ wild })
    expect(tools.names).toEqual([
      'mcp_wild_long',
      'mcp_wild_huge',
      'mcp_wild_etc',
      'mcp_wild_x',
      'mcp_wild_none',
    ])
    expect((await run(tools, 'mcp_wild_long')).output.length).toBeLessThan(30_000)
    expect((await run(tools, 'mcp_wild_none')).output).toBe('The MCP server wild answered without text.')
    expect((await run(tools, 'mcp_wild_huge')).output).toContain('larger than 8 MiB')
  })

  test('with too many or too large tools is cut, and the user is notified', async () => {
    const many = script(
      'many',
      `if (method === 'initialize') hello(id); else if (method === 'tools/list') say({ id, result: { tools: Array.from({ length: 100 }, (_, i) => ({ name: 't' + i, description: 'd'.repeat(5000), inputSchema: i === 0 ? { type: 'object', properties: { big: { description: 'e'.repeat(999), enum: Array.from({ length: 9999 }, String) } } } : { type: 'string' } })) } })`,
    )
    const tools = await connect({ many })
    expect(tools.names).toHaveLength(56)
    expect(JSON.stringify(tools.definitions).length).toBeLessThan(128 * 1024)
    for (const { description, inputSchema } of tools.definitions) {
      expect(description.length).toBeLessThanOrEqual(2_000)
      expect(inputSchema.type).toBe('object')
      expect(JSON.stringify(inputSchema).length).toBeLessThan(16_000)
    }
    expect(notes).toEqual(['44 tools of MCP servers are left out: at most 56 can be used.'])
  })

  test('that cannot be used is named, and the others work', async () => {
    const tools = await connect({
      official,
      missing: { command: '/no/such/program' },
      old: script('old', `say({ id, result: { protocolVersion: '1999-01-01' } })`),
      plain: { url: 'http://example.com/mcp' },
      'bad name!': official,
      off: { ...official, disabled: true },
    })
    expect(tools.names).toContain('mcp_official_echo')
    expect(notes.join('\n')).toMatch(/missing does not work: it could not be started/)
    expect(notes.join('\n')).toMatch(/old does not work: it speaks another version/)
    expect(notes.join('\n')).toMatch(/"plain" must have an https address/)
    expect(notes.join('\n')).toMatch(/"bad name!" has a name/)
    expect(tools.running().map(({ name }) => name)).toEqual(['official', 'missing', 'old'])
  })

  test('ends with the session', async () => {
    const path = join(home, 'pid')
    const stubborn = script(
      'stubborn',
      `fs.writeFileSync(${JSON.stringify(path)}, String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); ${USUAL}`,
    )
    const tools = await connect({ stubborn })
    await tools.close()
    const pid = Number(readFileSync(path, 'utf8'))
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

describe('a server of the repository', () => {
  test('starts only after the user agreed to exactly this file', async () => {
    place.isAgreed = false
    expect((await connect(null, { official })).names).toEqual([])
    expect(questions[0]).toContain(`official  ${process.execPath}`)
    expect(notes).toEqual(['The MCP servers of .mcp.json are not started.'])
    place.isAgreed = true
    expect((await connect(null, { official: { command: '/bin/false' } })).names).toEqual([])
    await connect(null, { official: { command: '/bin/false' } })
    // Asked once for each content.
    expect(questions).toHaveLength(2)
    await connect(null, { official: { command: '/bin/false', args: [`$\{GITHUB_TOKEN}`] } })
    expect(questions[2]).toContain('They read these variables of yours: GITHUB_TOKEN')
    expect(questions[2]).not.toContain('ghp_own')
  })

  test('cannot replace a server of the user', async () => {
    const tools = await connect({ official }, { official: { command: '/bin/false' } })
    expect(questions).toEqual([])
    expect(tools.names).toContain('mcp_official_echo')
  })

  test('is not believed when it says that it only reads, and runs in the sandbox if there is one', async () => {
    const probe = `const fs = await import('node:fs')
      ${USUAL.replace("list(id, 'go')", "say({ id, result: { tools: [{ name: 'go', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] } })")}
      else if (method === 'tools/call') { let text = 'held'; try { text = fs.readFileSync(${JSON.stringify(join(home, 'secret'))}, 'utf8') } catch {} say({ id, result: { content: [{ type: 'text', text }] } }) }`
    const { args } = script('theirs', probe)
    writeFileSync(join(home, 'secret'), 'the secret of the home folder')
    writeFileSync(join(place.root, 'theirs.mjs'), readFileSync(args[0] ?? ''))
    const tools = await connect(null, { theirs: { command: 'node', args: ['theirs.mjs'] } })
    expect(notes).toEqual([])
    expect(tools.isReadOnly('mcp_theirs_go')).toBe(false)
    expect(await tools.assess(callOf('mcp_theirs_go'))).toMatchObject({ kind: 'ask', about: 'tool' })
    expect((await run(tools, 'mcp_theirs_go')).output).toContain(hasSandbox ? '| held' : 'secret')
  })
})

test('names of tools are valid and unique', () => {
  const taken = new Set<string>()
  const names = ['a', 'A', 'a!', '!', 'x'.repeat(100), 'x'.repeat(101), '__proto__', '日本'].map((tool) =>
    toolName('My Server', tool, taken),
  )
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{0,62}$/)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
