import { CLIENT_RECIPES, fillTemplate } from '@cowrie/sdk/clients'
import { describe, expect, test } from 'vitest'
import type { FormatName } from './format.ts'
import { differingValues, mergeSnippet, revertChanges } from './formats.ts'

const VALUES = {
  baseUrl: 'https://cowrie.example',
  key: 'csk_abc',
  model: 'open',
  contextTokens: 128_000,
  outputTokens: 16_000,
  images: false,
  time: new Date('2026-11-15T09:00:00.000Z'),
}
const templateOf = (client: string, file = 0) => {
  const found = CLIENT_RECIPES.find(({ id }) => id === client)?.files[file]
  if (!found) throw new Error(`${client} has no such file`)
  return {
    format: found.format,
    snippet: fillTemplate(found.snippet, VALUES),
    defaults: found.defaults ?? [],
  }
}
const merge = (client: string, text: string, file = 0) => {
  const { format, snippet, defaults } = templateOf(client, file)
  const merged = mergeSnippet(format, text, snippet, defaults)
  return { ...merged, format, revert: (now = merged.text) => revertChanges(format, now, merged.changes) }
}

const FILES = CLIENT_RECIPES.flatMap(({ id, files }) => files.map((_, index) => [id, index] as const))

test.for(FILES)('the new file %d of %s is its snippet, and is empty after the undo', ([client, index]) => {
  const { text, revert, format, changes } = merge(client, '', index)
  const { snippet } = templateOf(client, index)
  if (format === 'json') expect(JSON.parse(text)).toEqual(JSON.parse(snippet))
  else expect(text).toBe(snippet)
  expect(differingValues(format, text, changes)).toEqual([])
  expect(revert()).toMatchObject({ kept: [], isEmpty: true })
})

test.for(FILES)('the file %d of %s has no unfilled placeholder', ([client, index]) => {
  expect(templateOf(client, index).snippet).not.toMatch(/\{[a-zA-Z]+\}/)
})

type Example = { it: string; client: string; file?: number; before: string; after: string; undone?: string }

const EXAMPLES: Example[] = [
  {
    it: 'keeps comments, order and trailing commas of JSON',
    client: 'gemini-cli',
    file: 1,
    before:
      '{\n  // My theme\n  "ui": { "theme": "x" }, // dark\n  "security": {\n    "folderTrust": true,\n  },\n}\n',
    after:
      '{\n  // My theme\n  "ui": { "theme": "x" }, // dark\n  "security": {\n    "folderTrust": true,\n    "auth": {\n      "selectedType": "gemini-api-key"\n    },\n  },\n}\n',
  },
  {
    it: 'adds the comma before a comment at the end of the line',
    client: 'gemini-cli',
    file: 1,
    before: '{\n\t"a": 1 // one\n\t// end\n}',
    after:
      '{\n\t"a": 1, // one\n\t"security": {\n\t\t"auth": {\n\t\t\t"selectedType": "gemini-api-key"\n\t\t}\n\t}\n\t// end\n}',
  },
  {
    it: 'edits JSON on one line',
    client: 'gemini-cli',
    file: 1,
    before: '{"a":{"b":1}}',
    after: '{"a":{"b":1}, "security": {"auth":{"selectedType":"gemini-api-key"}}}',
    undone: '{"a":{"b":1} }',
  },
  {
    it: 'replaces a value of JSON in its place',
    client: 'gemini-cli',
    file: 1,
    before: '{ "security": { "auth": { "selectedType": /* now */ "oauth-personal" } } }',
    after: '{ "security": { "auth": { "selectedType": /* now */ "gemini-api-key" } } }',
  },
  {
    it: 'sets the last of repeated keys, as parsers do',
    client: 'gemini-cli',
    file: 1,
    before: '{"security":{"auth":{"selectedType":"a","selectedType":"b"}}}',
    after: '{"security":{"auth":{"selectedType":"a","selectedType":"gemini-api-key"}}}',
  },
  {
    it: 'keeps the variables of others',
    client: 'gemini-cli',
    before: '# Google\nexport GEMINI_API_KEY="old" # mine\nA=1',
    after:
      '# Google\nexport GEMINI_API_KEY=csk_abc # mine\nA=1\nGOOGLE_GEMINI_BASE_URL=https://cowrie.example\nGEMINI_MODEL=open\n',
    undone: '# Google\nexport GEMINI_API_KEY="old" # mine\nA=1\n',
  },
  {
    it: 'keeps comments and tables of TOML',
    client: 'codex',
    before:
      '# mine\nmodel = "gpt-5" # best\nnotes = """\n[not.a.table]\nmodel = "no"\n"""\n\n[projects."/srv/ada"]\ntrust_level = "trusted"\n',
    after:
      '# mine\nmodel = "open" # best\nnotes = """\n[not.a.table]\nmodel = "no"\n"""\nmodel_provider = "cowrie"\nmodel_context_window = 128000\n\n[projects."/srv/ada"]\ntrust_level = "trusted"\n\n[model_providers.cowrie]\nname = "Cowrie"\nbase_url = "https://cowrie.example/v1"\nwire_api = "responses"\nexperimental_bearer_token = "csk_abc"\n',
  },
  {
    it: 'puts values of TOML before the first table',
    client: 'codex',
    before: '[model_providers.cowrie]\nname = "Mine"\n\n[[list]]\na = [\n  1, # one\n]\n',
    after:
      'model = "open"\nmodel_provider = "cowrie"\nmodel_context_window = 128000\n\n[model_providers.cowrie]\nname = "Cowrie"\nbase_url = "https://cowrie.example/v1"\nwire_api = "responses"\nexperimental_bearer_token = "csk_abc"\n\n[[list]]\na = [\n  1, # one\n]\n',
    undone: '\n[model_providers.cowrie]\nname = "Mine"\n\n[[list]]\na = [\n  1, # one\n]\n',
  },
  {
    it: 'adds an element to a list of YAML in its indentation',
    client: 'continue',
    before:
      'name: Ada # me\nversion: 2.0.0\nschema: v1\nmodels: # all\n- name: Local\n  provider: ollama\n  # fast\n\nrules:\n  - Be brief\n',
    after:
      'name: Ada # me\nversion: 2.0.0\nschema: v1\nmodels: # all\n- name: Local\n  provider: ollama\n- name: Cowrie open\n  provider: openai\n  model: open\n  apiBase: https://cowrie.example/v1\n  apiKey: csk_abc\n  roles: [chat, edit, apply]\n  # fast\n\nrules:\n  - Be brief\n',
  },
  {
    it: 'fills an empty list of YAML',
    client: 'continue',
    before: 'name: Ada\nversion: 2.0.0\nschema: v1\nmodels: []\nrules: []\n',
    after:
      'name: Ada\nversion: 2.0.0\nschema: v1\nmodels:\n  - name: Cowrie open\n    provider: openai\n    model: open\n    apiBase: https://cowrie.example/v1\n    apiKey: csk_abc\n    roles: [chat, edit, apply]\nrules: []\n',
  },
  {
    it: 'replaces values of YAML and keeps their comments',
    client: 'aider',
    before: '---\n# mine\nmodel: "sonnet # 4" # good\nread: [a.md, b.md]\n',
    after:
      '---\n# mine\nmodel: openai/open # good\nread: [a.md, b.md]\nopenai-api-base: https://cowrie.example/v1\nopenai-api-key: csk_abc\nshow-model-warnings: false\n',
  },
  {
    it: 'adds an element to a list of JSON',
    client: 'vscode',
    before: '[\n    {\n        "name": "Local",\n        "vendor": "ollama"\n    }\n]\n',
    after:
      '[\n    {\n        "name": "Local",\n        "vendor": "ollama"\n    },\n    {\n        "name": "Cowrie",\n        "vendor": "customendpoint",\n        "apiKey": "csk_abc",\n        "apiType": "chat-completions",\n        "models": [\n            {\n                "id": "open",\n                "name": "Cowrie open",\n                "url": "https://cowrie.example/v1/chat/completions",\n                "toolCalling": true,\n                "vision": false,\n                "maxInputTokens": 112000,\n                "maxOutputTokens": 16000\n            }\n        ]\n    }\n]\n',
  },
]

test.for(EXAMPLES)('an edit $it, and the undo restores it', ({ client, file, before, after, undone }) => {
  const { text, revert } = merge(client, before, file)
  expect(text).toBe(after)
  expect(revert()).toEqual({ text: undone ?? before, kept: [], isEmpty: false })
})

test.for(EXAMPLES)(
  'an edit that $it works with a byte order mark and Windows line ends',
  ({ client, file, before, after }) => {
    const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`
    if (before.includes('\n')) expect(merge(client, windows(before), file).text).toBe(windows(after))
  },
)

describe('after later edits of the user, the undo', () => {
  test('keeps additions inside the entries of the setup', () => {
    const { text, revert } = merge('opencode', '')
    const now = text.replace('"models": {', '"models": {\n        "mine": {},')
    expect(JSON.parse(revert(now).text)).toEqual({
      $schema: 'https://opencode.ai/config.json',
      provider: { cowrie: { models: { mine: {} } } },
    })
  })

  test('keeps values that the user changed, and names them', () => {
    const { text, revert } = merge('claude-code', '{"env":{"ANTHROPIC_MODEL":"opus"}}')
    const now = text.replace('https://cowrie.example', 'https://b.example')
    const reverted = revert(now)
    expect(reverted).toMatchObject({ kept: ['env.ANTHROPIC_BASE_URL'], isEmpty: false })
    expect(JSON.parse(reverted.text)).toEqual({
      env: { ANTHROPIC_MODEL: 'opus', ANTHROPIC_BASE_URL: 'https://b.example' },
    })
  })

  test('does not depend on the formatting', () => {
    const { text, revert } = merge('zed', '{"theme":"One"}')
    expect(JSON.parse(revert(JSON.stringify(JSON.parse(text), null, 8)).text)).toEqual({ theme: 'One' })
  })

  test('keeps the head of a file that got other content', () => {
    const { text, revert } = merge('continue', '')
    expect(revert(`${text}rules:\n  - Be brief\n`)).toEqual({
      text: 'name: My configuration\nversion: 1.0.0\nschema: v1\nrules:\n  - Be brief\n',
      kept: [],
      isEmpty: false,
    })
  })

  test('keeps a changed element of a list', () => {
    const { text, revert } = merge('continue', '')
    const now = text.replace('[chat, edit, apply]', '[chat]')
    expect(revert(now)).toMatchObject({ text: now, kept: ['models."Cowrie open"'] })
  })

  test('leaves values alone that the user removed', () => {
    const { text, revert } = merge('codex', 'model = "a"\n')
    expect(revert(text.replace('model_provider = "cowrie"\n', ''))).toMatchObject({
      text: 'model = "a"\n',
      kept: [],
    })
  })
})

const MALFORMED: { it: string; client: string; text: string; says: string; file?: number }[] = [
  { it: 'unfinished JSON', client: 'claude-code', text: '{\n "env": {', says: 'is not valid JSON at line 2' },
  { it: 'JSON followed by text', client: 'claude-code', text: '{} x', says: 'is not valid JSON' },
  { it: 'JSON with a missing comma', client: 'claude-code', text: '{"a":1\n"b":2}', says: 'at line 2' },
  { it: 'a list instead of an object', client: 'claude-code', text: '[]', says: 'has no object at its top' },
  {
    it: 'a text instead of an object',
    client: 'claude-code',
    text: '{"env":"x"}',
    says: 'has no object at env',
  },
  { it: 'an object instead of a list', client: 'vscode', text: '{}', says: 'has no list at its top' },
  { it: 'deep nesting', client: 'claude-code', text: '['.repeat(5000), says: 'is not valid JSON' },
  {
    it: 'an unfinished string of TOML',
    client: 'codex',
    text: 'a = "x\n',
    says: 'is not valid TOML at line 1',
  },
  {
    it: 'a line without a value of TOML',
    client: 'codex',
    text: 'a = 1\nb\n',
    says: 'is not valid TOML at line 2',
  },
  {
    it: 'an inline table of TOML',
    client: 'codex',
    text: 'model_providers = { cowrie = { name = "x" } }\n',
    says: 'defines model_providers in a form',
  },
  { it: 'a tab in YAML', client: 'aider', text: 'a:\n\tb: 1\n', says: 'is not valid YAML at line 2' },
  {
    it: 'text without a key in YAML',
    client: 'aider',
    text: 'hello\n',
    says: 'at line 1 that cannot be edited',
  },
  { it: 'an unfinished string of YAML', client: 'aider', text: 'model: "x\n', says: 'at line 1' },
  { it: 'two documents of YAML', client: 'aider', text: 'a: 1\n---\nb: 2\n', says: 'at line 2' },
  {
    it: 'a list of YAML in brackets',
    client: 'continue',
    text: 'models: [{name: x}]\n',
    says: 'has a list at models',
  },
  {
    it: 'a value of YAML with several lines',
    client: 'aider',
    text: 'model: |\n  x\n',
    says: 'several lines for model',
  },
]

test.for(MALFORMED)('$it is refused', ({ client, text, says, file }) => {
  expect(() => merge(client, text, file)).toThrow(says)
})

test.for<FormatName>(['json', 'toml', 'yaml', 'env'])(
  'an undo of nothing changes nothing in %s',
  (format) => {
    const text = { json: '{ "a" : 1 }', toml: 'a=1', yaml: 'a:  1', env: 'A = 1' }[format]
    expect(revertChanges(format, text, []).text).toBe(text)
  },
)
