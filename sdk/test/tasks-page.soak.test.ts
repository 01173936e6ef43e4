// Runs the commands of docs/tasks.md in a shell against the service with the development model. Only these are replaced: the
// address, the installation of the SDK, and the time to watch a stream, which becomes a wait for the turn.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/tasks.md'), 'utf8')
const COMMANDS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands).join('')
const WAIT = `until curl -s -b jar localhost:8080/tasks/$TASK | grep -qE '"title":"[^"]*","status":"(idle|waiting)"'; do sleep 0.2; done
curl -sN --max-time 1 -b jar `

test('every command of docs/tasks.md works as written', { timeout: scaledTimeout(120_000) }, async ({
  onTestFinished,
}) => {
  const sandbox = { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' }
  const server = await startTestServer({ background: true, variables: sandbox })
  const place = scratchFolder()
  onTestFinished(async () => {
    await server.close()
    rmSync(place, { recursive: true, force: true })
  })
  const host = new URL(await server.listen()).host
  const modules = join(place, 'home', 'cowrie-tasks', 'node_modules', '@cowrie')
  mkdirSync(modules, { recursive: true })
  symlinkSync(join(ROOT, 'sdk'), join(modules, 'sdk'))
  cpSync(join(ROOT, 'sdk/examples'), join(place, 'sdk/examples'), { recursive: true })
  const script = COMMANDS.replaceAll(/^npm (run pack|install) .*\n/gm, '')
    .replaceAll(/curl -sN --max-time \d+ -b jar /g, WAIT)
    .replaceAll(/(localhost|127\.0\.0\.1):8080/g, host)
  writeFileSync(join(place, 'page.sh'), script)
  const printed = await shell(place, 'page.sh')
  expect(printed).toContain('"stopReason":"completed"')
  expect(printed).toContain('\n-  return a - b\n+  return a + b\n')
  expect(printed).toContain('+export function multiply')
  expect(printed).toContain('{"changed":["src/kobo.js"],')
  expect(printed).toMatch(/"kind":"needs_tool","step":4,"callId":"call_1_4","tool":"read"/)
  expect(printed).toMatch(/\d+ update src\/kobo\.js \+3 -3\ncompleted, cost \d+/)
  expect(printed).toContain('export function total')
  expect(printed).toContain('"secret":"whsec_')
  expect(printed).not.toMatch(/"error":|rror: /)
})

function shell(place: string, file: string): Promise<string> {
  const child = spawn('bash', [file], {
    cwd: place,
    env: { ...process.env, HOME: join(place, 'home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const pipe of [child.stdout, child.stderr])
    pipe.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return new Promise((resolve) => child.on('close', () => resolve(printed)))
}
