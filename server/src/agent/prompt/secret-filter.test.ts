// Secrets in a request: no model reads them, the reply lists them, and edits keep them.
import { createHash } from 'node:crypto'
import {
  type AgentTestServer,
  answerWith,
  create,
  createFundedPerson,
  createRunCaller,
  promptOf,
  startAgentServer,
  update,
  wholeAnswer,
} from '@cowrie/testkit/agent/run.ts'
import { FORMAT_IDS, planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentRunResult } from '../schema.ts'

let stage: AgentTestServer
beforeAll(async () => {
  stage = await startAgentServer()
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.reset())

const ask: ReturnType<typeof createRunCaller> = (...asked) => createRunCaller(stage)(...asked)
const rich = () => createFundedPerson(stage.server, 1_000_000n)
const sent = () => stage.upstream.requests.map(promptOf).join('\n')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** The placeholder in the last prompt. */
const placeholder = (before: string) => {
  const [, found = 'none'] = new RegExp(`${before}(WITHHELD\\w+)`).exec(sent()) ?? []
  return found
}

const KEY = planted('paystack-live').secret
const ENV = { path: '.env', content: `PORT=8080\nPLAIN=hunter\nPAYSTACK=${KEY}\n` }
const CONFIG = { path: 'src/config.js', content: `export const name = 'shop'\nexport const key = '${KEY}'\n` }
const nothing = answerWith((m) => wholeAnswer(m))

describe('a run', () => {
  test('withholds a file that holds secrets by its name, and reports it', async () => {
    stage.upstream.script(nothing)
    const { body } = await ask(await rich(), { prompt: 'Look at .env', context: [ENV] })
    expect(sent()).not.toContain(KEY)
    expect(sent()).not.toContain('hunter')
    expect(body.withheld).toEqual([{ path: '.env', reason: 'file that holds secrets' }])
    expect(body.context?.omitted).toEqual([{ path: '.env', lines: 3, shownLines: 0 }])
  })

  test('never overwrites or deletes a withheld file', async () => {
    const overwriting = answerWith((m) =>
      wholeAnswer(m, create(m, '.env', 'PORT=1'), `${m('FILE delete .env')}\nwhy: x`),
    )
    stage.upstream.script(overwriting, overwriting)
    const { body } = await ask(await rich(), { prompt: 'x', context: [ENV] })
    expect(body.edits).toEqual([])
  })

  test('hides a key inside code and keeps it in the edited file', async () => {
    stage.upstream.script((request) => {
      const hidden = /export const key = '(WITHHELD\w+)'/.exec(promptOf(request))?.[1] ?? 'none'
      return answerWith((m) =>
        wholeAnswer(
          m,
          update(m, CONFIG.path, `export const key = '${hidden}'`, `export const apiKey = '${hidden}'`),
        ),
      )(request)
    })
    const { body } = await ask(await rich(), { prompt: 'Rename key.', context: [CONFIG] })
    expect(sent()).not.toContain(KEY)
    expect(body.withheld).toEqual([{ path: CONFIG.path, line: 2, reason: 'Paystack live secret key' }])
    expect(body.edits).toMatchObject([
      {
        content: CONFIG.content.replace('const key', 'const apiKey'),
        baseSha256: sha256(CONFIG.content),
      },
    ])
  })

  test('keeps every line of a private key when the file around it changes', async () => {
    const pem = planted('private-key').text
    const file = { path: 'src/sign.js', content: `const key = \`${pem}\`\nexport const a = 1\n` }
    stage.upstream.script(
      answerWith((m) => wholeAnswer(m, update(m, file.path, 'export const a = 1', 'export const a = 2'))),
    )
    const { body } = await ask(await rich(), { prompt: 'a is 2', context: [file] })
    for (const line of pem.split('\n').slice(1, -1)) expect(sent()).not.toContain(line)
    expect(body.edits[0]?.content).toBe(file.content.replace('a = 1', 'a = 2'))
  })

  test('restores the key when a model moves the code to another file', async () => {
    stage.upstream.script((request) => {
      const hidden = /export const key = '(WITHHELD\w+)'/.exec(promptOf(request))?.[1] ?? 'none'
      return answerWith((m) => wholeAnswer(m, create(m, 'src/keys.js', `export const key = '${hidden}'`)))(
        request,
      )
    })
    const { body } = await ask(await rich(), { prompt: 'x', context: [CONFIG] })
    expect(body.edits[0]?.content).toContain(`'${KEY}'`)
    expect(JSON.stringify(body.edits)).not.toContain('WITHHELD')
    expect(body.warnings).toContain('secret_copied: "src/keys.js"')
  })

  test('does not change text that only looks like a placeholder', async () => {
    const file = { path: 'a.js', content: `const a = 'WITHHELD_SECRET_1_'\nconst key = '${KEY}'\n` }
    stage.upstream.script(
      answerWith((m) => wholeAnswer(m, update(m, 'a.js', "const a = 'WITHHELD_SECRET_1_'", 'const a = 1'))),
    )
    const { body } = await ask(await rich(), { prompt: 'x', context: [file] })
    expect(body.edits[0]?.content).toBe(`const a = 1\nconst key = '${KEY}'\n`)
  })

  test('hides a key in the prompt', async () => {
    stage.upstream.script(nothing)
    const { body } = await ask(await rich(), { prompt: `Fix this.\nMy key is ${KEY}.` })
    expect(sent()).not.toContain(KEY)
    expect(placeholder('My key is ')).toMatch(/^WITHHELD/)
    expect(body.withheld).toEqual([{ path: 'prompt', line: 2, reason: 'Paystack live secret key' }])
  })

  test('sends secrets that the caller allows by name', async () => {
    stage.upstream.script(nothing)
    const body = { prompt: `Use ${KEY}.`, context: [ENV, CONFIG], allowSecrets: true }
    const reply = await ask(await rich(), body)
    expect(sent()).toContain(KEY)
    expect(sent()).toContain('hunter')
    expect(reply.body.withheld).toEqual([])
  })

  test('withholds every known format in a file', async () => {
    const secrets = FORMAT_IDS.map((id) => ({ path: `${id}.txt`, ...planted(id, 1) }))
    const context = secrets.map(({ path, text }) => ({ path, content: `a\n${text}\n` }))
    stage.upstream.script(nothing)
    const { body } = await ask(await rich(), { prompt: 'x', context })
    const [prompt, withheld] = [sent(), body.withheld?.map(({ path }) => path)]
    for (const { path, secret } of secrets) {
      expect(prompt).toContain(path)
      expect(withheld).toContain(path)
      for (const line of secret.split('\n').filter((each) => each.length >= 6))
        expect(prompt, path).not.toContain(line)
    }
  })

  test('keeps the list of withheld secrets in the history', async () => {
    const who = await rich()
    stage.upstream.script(nothing)
    const { body } = await ask(who, { prompt: 'x', context: [ENV] })
    const kept = await stage.server.call<{ result: AgentRunResult }>('GET', `/agent/runs/${body.id}`, {
      as: who,
    })
    expect(kept.body.result.withheld).toEqual(body.withheld)
  })

  test('lets the repair turn write no withheld file', async () => {
    const secret = { path: 'config/secrets.yml', content: 'token: mine\n' }
    const wrong = answerWith((m) => wholeAnswer(m, update(m, CONFIG.path, 'not there at all', 'x')))
    const over = answerWith((m) => wholeAnswer(m, create(m, secret.path, 'token: theirs')))
    stage.upstream.script(wrong, over)
    const { body } = await ask(await rich(), { prompt: 'x', context: [CONFIG, secret] })
    expect(stage.upstream.requests).toHaveLength(2)
    expect(body.edits.map(({ path }) => path)).not.toContain(secret.path)
  })

  test('hides the key in the repair turn as well', async () => {
    const wrong = answerWith((m) => wholeAnswer(m, update(m, CONFIG.path, 'not there at all', 'x')))
    stage.upstream.script(wrong, wrong)
    await ask(await rich(), { prompt: `Use ${KEY}`, context: [CONFIG, ENV] })
    expect(stage.upstream.requests).toHaveLength(2)
    expect(sent()).not.toContain(KEY)
  })
})

test('a quote lists the secrets that a run would withhold, and its price holds', async () => {
  const who = await rich()
  const task = { prompt: `Use ${KEY}`, context: [ENV, CONFIG] }
  const quote = (body: object) =>
    stage.server.call<{ withheld: object[]; maxMinor: bigint; promptTokens: number }>(
      'POST',
      '/agent/quote',
      {
        as: who,
        body,
      },
    )
  const { body } = await quote(task)
  expect(body.withheld).toEqual([
    { path: 'prompt', line: 1, reason: 'Paystack live secret key' },
    { path: '.env', reason: 'file that holds secrets' },
    { path: CONFIG.path, line: 2, reason: 'Paystack live secret key' },
  ])
  const allowed = await quote({ ...task, allowSecrets: true })
  expect(allowed.body.withheld).toEqual([])
  expect(allowed.body.promptTokens).toBeGreaterThan(body.promptTokens)
  stage.upstream.script(nothing)
  const run = await ask(who, task)
  expect(run.body.costMinor).toBeLessThanOrEqual(body.maxMinor)
})
