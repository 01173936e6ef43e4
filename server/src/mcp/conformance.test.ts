// Runs the public conformance suite of the protocol for each revision with requirements.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The newest; in soak runs, all revisions with requirements. */
const REVISIONS = isSoak ? ['2025-11-25', '2026-07-28'] : ['2026-07-28']
const CLI = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

/**
 * Scenarios, or single checks of them (`scenario:check`), that do not apply. Each must still fail: an entry that passes is
 * stale and fails the test. Messages in exempt scenarios must still be valid.
 */
const NOT_APPLICABLE: readonly { reason: string; scenarios: readonly string[] }[] = [
  {
    reason:
      'They call diagnostic tools of the reference server (test_…); this server has only its own tools.',
    scenarios: [
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-error',
      'tools-call-with-progress',
      'json-schema-2020-12',
      'server-stateless:sep-2575-server-rejects-undeclared-capability',
      'server-stateless:sep-2575-missing-capability-http-400',
      'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless:sep-2575-server-no-log-without-loglevel',
    ],
  },
  {
    reason: 'No resources are offered, and the capability is not declared.',
    scenarios: [
      'resources-list',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'resources-subscribe',
      'resources-unsubscribe',
      'sep-2164-resource-not-found:sep-2164-error-code',
      'sep-2164-resource-not-found:sep-2164-data-uri',
      'caching:sep-2549-resources-list-caching-hints',
      'caching:sep-2549-resources-templates-list-caching-hints',
    ],
  },
  {
    reason: 'No prompts, completions or logging are offered, and the capabilities are not declared.',
    scenarios: [
      'prompts-list',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
      'caching:sep-2549-prompts-list-caching-hints',
      'completion-complete',
      'logging-set-level',
      'tools-call-with-logging',
    ],
  },
  {
    reason:
      'No tool asks the client for input (sampling, elicitation, roots); prices are agreed by maxCostMinor.',
    scenarios: [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-missing-input-response',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
    ],
  },
  {
    reason: 'The optional tasks extension is not declared.',
    scenarios: [
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ],
  },
  {
    reason: 'No tool argument is repeated in a separate header (x-mcp-header).',
    scenarios: ['http-custom-header-server-validation'],
  },
]
/** Validates our messages against the schema of the revision. Required in every scenario, including exempt ones. */
const ALWAYS = 'wire-schema-valid'

const folder = mkdtempSync(join(tmpdir(), 'cowrie-conformance-'))
let server: TestServer
let proxy: Server
let address: string

beforeAll(async () => {
  let target = ''
  let bearer = ''
  // The suite sends no API key, so a proxy adds one to each request.
  proxy = createServer((incoming, outgoing) => {
    const forwarded = send(
      `${target}${incoming.url}`,
      { method: incoming.method, headers: { ...incoming.headers, authorization: `Bearer ${bearer}` } },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
      },
    )
    outgoing.on('close', () => forwarded.destroy())
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  server = await startTestServer({ variables: { SERVICE_BASE_URL: address } })
  target = await server.listen()
  const person = await server.person()
  await giveCredit(server, person.orgId, 500n)
  bearer = (await server.key(person, ['agent:run'])).bearer
})
afterAll(async () => {
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
  await server.close()
  rmSync(folder, { recursive: true })
})

type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string }
type Result = Check & { readonly scenario: string }

/** All checks of the scenarios that the suite runs for a revision, required or not. */
async function resultsOf(revision: string): Promise<Result[]> {
  const output = join(folder, revision)
  const args = ['server', '--url', `${address}/mcp`, '--requirements', revision, '--output-dir', output]
  // It exits with 1 for any failure, including exempt ones, so only the results count.
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [CLI, ...args], { maxBuffer: 2 ** 25 }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    )
  })
  const announced = [...said.matchAll(/^=== Running scenario: (\S+) ===$/gm)].map(([, name = '']) => name)
  const results = readdirSync(output).flatMap((name) => {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name
    const checks: Check[] = JSON.parse(readFileSync(join(output, name, 'checks.json'), 'utf8'))
    return checks.map((check) => ({ ...check, scenario }))
  })
  expect(new Set(results.map(({ scenario }) => scenario)), said).toEqual(new Set(announced))
  return results
}

const exempt = NOT_APPLICABLE.flatMap(({ scenarios }) => scenarios)
const exemptionOf = ({ scenario, id }: Result) =>
  id === ALWAYS ? undefined : exempt.find((entry) => entry === scenario || entry === `${scenario}:${id}`)

test(`the conformance suite passes in ${REVISIONS.join(' and ')}, except for features that this server does not offer`, async () => {
  const results: Result[] = []
  for (const revision of REVISIONS) results.push(...(await resultsOf(revision)))
  const failed = results.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')

  expect(failed.filter((result) => exemptionOf(result) === undefined)).toEqual([])
  // Some entries apply only to the older revision.
  if (isSoak) expectAllUsed(failed)
  // A suite that does not reach the server would also report no failures.
  expect(results.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(50 * REVISIONS.length)
  expect(results).toContainEqual(
    expect.objectContaining({ scenario: 'tools-list', id: ALWAYS, status: 'SUCCESS' }),
  )
}, 180_000)

function expectAllUsed(failed: readonly Result[]): void {
  const used = new Set(failed.map(exemptionOf))
  expect(
    exempt.filter((entry) => !used.has(entry)),
    'These pass now: take them off the list.',
  ).toEqual([])
}
