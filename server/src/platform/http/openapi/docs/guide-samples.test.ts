// Every sample of the guides runs against a real service: one process per language.
import { createHmac } from 'node:crypto'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createProgramFolder, hasGo } from '@cowrie/testkit/harness/programs.ts'
import { createPasswordUser, PASSWORD } from '@cowrie/testkit/sign-in/password-users.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GUIDE_NAMES, QUICKSTART, readGuide } from './guides.ts'

const GUIDES = [QUICKSTART, ...GUIDE_NAMES]
const MARK = '=== guide'

const { write, run, remove } = createProgramFolder()
let server: TestServer
let url = ''
let variables: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer({ background: true })
  url = await server.listen()
  const user = await createPasswordUser(server)
  await giveCredit(server, user.orgId, 1_000_000n)
  const as = { ...user, bearer: user.userId }
  const key = await server.key(as, ['agent:run', 'wallet:read', 'keys:manage', 'metrics:read'])
  const visitor = server.visitor()
  await visitor.call('POST', '/auth/login', { body: { email: user.email, password: PASSWORD } })
  variables = {
    COWRIE_API_KEY: key.bearer,
    COWRIE_SESSION: visitor.cookies.get('service_session') ?? '',
    EMAIL: user.email,
    PASSWORD,
    COWRIE_WEBHOOK_SECRET: SECRET,
  }
})
afterAll(async () => {
  await server.close()
  remove()
})

type Sample = { guide: string; code: string; output: string | null }

/** The samples of all guides in a language. An output belongs to the samples before it. */
function samplesIn(language: string): Sample[] {
  return GUIDES.flatMap((guide) => {
    const blocks = readGuide(guide, url).filter((block) => block.kind === 'code')
    return blocks.flatMap((block, at) => {
      if (block.language !== language) return []
      const next = blocks.slice(at + 1).find((later) => !['ts', 'python', 'go'].includes(later.language))
      return [{ guide, code: block.text, output: next?.language === 'text' ? next.text : null }]
    })
  })
}

/** The samples of each guide as one text; those of webhooks verify a real signature at the end. */
const byGuide = (language: string, verification: string): [string, string[]][] =>
  [...Map.groupBy(samplesIn(language), ({ guide }) => guide)].map(([guide, samples]) => [
    guide,
    [...samples.map(({ code }) => code), ...(guide === 'webhooks' ? [verification] : [])],
  ])

const SECRET = `whsec_${Buffer.from('a secret of 24 characters').toString('base64')}`
const EVENT = JSON.stringify({ type: 'topup.settled', timestamp: '2026-11-18T09:00:00Z', data: {} })

/** The headers of a signed event that is sent now. */
function signed(): Record<string, string> {
  const sent = Math.floor(Date.now() / 1000)
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${sent}.${EVENT}`).digest('base64')
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(sent),
    'webhook-signature': `v1,${signature}`,
  }
}

/** `…` in an output stands for any text. */
function matchesOutput(printed: string, output: string): boolean {
  let end = 0
  return output
    .trim()
    .split('…')
    .every((part, index) => {
      const at = printed.indexOf(part, end)
      end = at + part.length
      return index === 0 ? at === 0 : at >= 0
    })
}

test('every step with a sample has it in all four languages, except shell commands and a signature', () => {
  const missing = GUIDES.flatMap((guide) => {
    let heading = ''
    const steps = new Map<string, string[]>()
    for (const block of readGuide(guide, url)) {
      if (block.kind === 'heading') heading = block.text
      if (block.kind === 'code') steps.set(heading, [...(steps.get(heading) ?? []), block.language])
    }
    const programs = [...steps].filter(([, languages]) => languages.some((each) => each === 'ts'))
    return programs.flatMap(([title, languages]) =>
      ['sh', 'python', 'go'].filter((each) => !languages.includes(each)).map((each) => `${title}: ${each}`),
    )
  })
  expect(missing).toEqual(['Verify the signature: sh'])
})

test('the curl samples run in their order and print what the guides show', async () => {
  const samples = samplesIn('sh')
  const script = samples.map(({ code }) => `${code}\necho; echo '${MARK}'\n`).join('\n')
  write('guides.sh', `set -euo pipefail\n${script}`)
  const outputs = (await run(variables, 'bash', 'guides.sh')).split(`${MARK}\n`)
  for (const [at, { guide, output, code }] of samples.entries()) {
    const printed = outputs[at]?.trim() ?? ''
    expect(printed, `${guide}: ${code}`).not.toMatch(/"requestId":/)
    if (output !== null && !matchesOutput(printed, output)) expect(printed, `${guide}: ${code}`).toBe(output)
  }
})

test('the TypeScript samples run as one module per guide', async () => {
  const verification = `await receive(new Headers(${JSON.stringify(signed())}), ${JSON.stringify(EVENT)})`
  const guides = byGuide('ts', verification)
  for (const [guide, parts] of guides) write(`${guide}.ts`, parts.join('\n'))
  write('all.mjs', guides.map(([guide]) => `await import('./${guide}.ts')`).join('\n'))
  const printed = await run(variables, process.execPath, '--disable-warning=ExperimentalWarning', 'all.mjs')
  expect(printed).toContain('topup.settled\n')
})

test('the Python samples run as one program per guide', async () => {
  const verification = `headers = ${JSON.stringify(signed())}
secret = os.environ["COWRIE_WEBHOOK_SECRET"]
assert verify(secret, headers, ${JSON.stringify(EVENT)}.encode())
assert not verify(secret, headers, b"{}")`
  const guides = byGuide('python', verification)
  for (const [guide, parts] of guides) write(`${guide}.py`, parts.join('\n'))
  write('all.py', `import runpy\n${guides.map(([guide]) => `runpy.run_path('${guide}.py')`).join('\n')}`)
  await run(variables, 'python3', '-B', 'all.py')
})

test('the Go samples run: the first of a guide is a program, and the others continue its main', async () => {
  if (!hasGo()) return
  const headers = Object.entries(signed()).map(([name, value]) => `headers.Set("${name}", "${value}")`)
  const verification = `headers := http.Header{}
${headers.join('\n')}
if !verify(os.Getenv("COWRIE_WEBHOOK_SECRET"), headers, []byte(${JSON.stringify(EVENT)})) ||
	verify(os.Getenv("COWRIE_WEBHOOK_SECRET"), headers, []byte("{}")) {
	panic("the signature was not verified")
}`
  const guides = byGuide('go', verification)
  for (const [guide, [program = '', ...steps]] of guides) {
    const name = guide.replace(/-/g, '')
    const whole = `${program.slice(0, program.lastIndexOf('}'))}\n${steps.join('\n')}\n}\n`
    write(
      `programs/${name}/guide.go`,
      whole.replace('package main', `package ${name}`).replace('func main()', 'func Run()'),
    )
  }
  const names = guides.map(([guide]) => guide.replace(/-/g, ''))
  write('programs/go.mod', 'module guides\n\ngo 1.18\n')
  write(
    'programs/all.go',
    `package main\n\nimport (\n${names.map((name) => `\t"guides/${name}"`).join('\n')}\n)\n\nfunc main() {\n${names.map((name) => `\t${name}.Run()`).join('\n')}\n}\n`,
  )
  await run(variables, 'bash', '-c', 'cd programs && go run .')
})

test('the step for GitHub Actions passes a clean change and fails on a finding', async () => {
  const yaml = readGuide('ci', url).find((block) => block.kind === 'code' && block.language === 'yaml')
  const [, script = ''] = /run: \|\n([\s\S]*)/.exec(yaml?.kind === 'code' ? yaml.text : '') ?? []
  write('step.sh', script)
  write('clean.js', 'export const add = (a, b) => a + b\n')
  write(
    'finding.js',
    "const { exec } = require('child_process')\nmodule.exports = (req) => exec(req.query.dir)\n",
  )
  const git = 'git -c user.name=Ada -c user.email=ada@example.com -c commit.gpgsign=false'
  const commit = (file: string) => `cp ../${file} . && git add . && ${git} commit -qm ${file}`
  const printed = await run(
    variables,
    'bash',
    '-c',
    `set -e; mkdir repository; cd repository; git init -q -b main; ${git} commit -q --allow-empty -m start
git update-ref refs/remotes/origin/main HEAD
${commit('clean.js')}; bash -e ../step.sh; ${commit('finding.js')}; if bash -e ../step.sh; then echo missed; fi`,
  )
  expect(printed.trim().split('\n')).toEqual(['true', 'false'])
})
