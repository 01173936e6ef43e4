// `npm run print`: prints the generated files. They are committed, so that a change of the contract is visible in review.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generateSdk, generateStaffSdk } from '../../scripts/sdk/generate.ts'
import { errorRows, generateErrors } from '../../scripts/sdk/generate-errors.ts'
import { goErrors, goOperations, goTypes } from '../../scripts/sdk/generate-go.ts'
import { pythonOperations, pythonStubs, pythonTypes } from '../../scripts/sdk/generate-python.ts'
import { describePortable } from '../../scripts/sdk/portable.ts'
import { ERRORS, type ErrorEntry } from './kernel/errors.ts'
import { modules as productModules } from './modules.ts'
import { printAccess } from './platform/http/access/access-table.ts'
import { errorCodesOf } from './platform/http/reply/error-response.ts'
import type { Module } from './platform/module.ts'
import { collectGroups } from './platform/settings/catalogue.ts'
import { printSettings } from './platform/settings/print-settings.ts'
import { documentOf } from './service.ts'
import { system } from './system.ts'

/** A file of the repository, by its path from the root. */
export type PrintedFile = { path: string; text: string }

export const ROOT = new URL('../../', import.meta.url)

/** All generated files, with the content to commit. */
export function printAll(): PrintedFile[] {
  const modules = [system(() => ''), ...productModules]
  const { version } = JSON.parse(readFileSync(new URL('server/package.json', ROOT), 'utf8')) as {
    version: string
  }
  const document = documentOf(modules, version)
  const streamed = streamedErrors(modules)
  const portable = describePortable(document)
  const errors = errorRows(ERRORS, streamed)
  return [
    { path: 'openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
    { path: 'docs/reference/settings.md', text: printSettings(collectGroups(modules)) },
    { path: 'docs/reference/errors.md', text: printErrors() },
    { path: 'docs/reference/access.md', text: printAccess(modules) },
    { path: 'sdk/src/generated.ts', text: generateSdk(document) },
    { path: 'sdk/src/generated-staff.ts', text: generateStaffSdk(document) },
    { path: 'sdk/src/generated-errors.ts', text: generateErrors(ERRORS, streamed) },
    { path: 'python/cowrie/_operations.py', text: pythonOperations(portable, version, errors) },
    { path: 'python/cowrie/types.py', text: pythonTypes(portable) },
    { path: 'python/cowrie/api.pyi', text: pythonStubs(portable) },
    { path: 'go/types.go', text: goTypes(portable) },
    { path: 'go/operations.go', text: goOperations(portable, version) },
    { path: 'go/error_codes.go', text: goErrors(errors) },
    ...printSecrets(),
  ]
}

const streamedErrors = (modules: readonly Module[]): Set<string> =>
  new Set(modules.flatMap(({ routes = [] }) => routes.filter(({ stream }) => stream).flatMap(errorCodesOf)))

const SECRETS = 'analysis/secret-formats/'

/** The secret formats for the CLI and the web app, which cannot import the server. */
function printSecrets(): PrintedFile[] {
  return readdirSync(new URL(SECRETS, ROOT))
    .filter((name) => !/\.(test|fixture)\.ts$/.test(name))
    .map((name) => ({
      path: `sdk/src/secrets/${name}`,
      text: `// Printed from ${SECRETS}${name} by \`npm run print\`; do not edit.\n${readFileSync(new URL(SECRETS + name, ROOT), 'utf8')}`,
    }))
}

const ERRORS_INTRODUCTION = `# Errors

Printed from the catalogue; do not edit. Every error has the body \`{error, code, requestId}\`: branch on \`code\`, show
\`error\` to users, and quote \`requestId\` in a problem report. Some errors add fields, such as \`fields\`.

The outcome tells whether the request took effect:

- \`decided\`: the service rejected or finished the request. The same request gets the same response, or needs a change first.
- \`retry\`: the request changed nothing. The same request may succeed later.
- \`unknown\`: the request may have taken effect. Send it again with the same \`Idempotency-Key\` to find out.

An access error (401, 403 or 451) does not reveal the outcome of an earlier request with the same key. Where the table gives
seconds, the \`Retry-After\` header gives the same or a better value.`

function printErrors(): string {
  const entries: [string, ErrorEntry][] = Object.entries(ERRORS)
  entries.sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
  const rows = entries.map(
    ([code, { status, message, outcome, retryAfter }]) =>
      `| ${status} | \`${code}\` | ${cell(message)} | ${outcome} | ${retryAfter === undefined ? '' : `${retryAfter} s`} |`,
  )
  return `${ERRORS_INTRODUCTION}\n\n| Status | Code | Message | Outcome | Retry after |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

function writeAll(): void {
  for (const { path, text } of printAll()) {
    const file = new URL(path, ROOT)
    const same = existsSync(file) && readFileSync(file, 'utf8') === text
    if (!same) {
      mkdirSync(new URL('.', file), { recursive: true })
      writeFileSync(file, text)
    }
    process.stdout.write(`${same ? 'unchanged' : 'printed  '}  ${path}\n`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeAll()
