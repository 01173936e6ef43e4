// `npm run restore:check`: compares the rows of the database with the object storage after a restore. deploy/BACKUP.md describes it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadConfig } from './configuration.ts'
import { createLog } from './platform/log/log.ts'
import { compareObjects } from './platform/storage/stored-objects.ts'
import { startService } from './service.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const config = loadConfig(process.env, { version, root: fileURLToPath(new URL('../..', import.meta.url)) })
// Without jobs and port. The start applies missing migrations, as that of the service does; the check itself changes nothing.
const service = await startService({
  config,
  variables: process.env,
  log: createLog({ level: 'error' }),
  background: false,
})
try {
  const { app } = service
  const report = await compareObjects(app, app.storedObjects, ({ kind, key, detail, remedy }) =>
    print(`${kind.padEnd(10)} ${key} (${detail})\n           ${remedy}`),
  )
  print(`${report.named} objects named by rows, ${report.stored} stored, ${report.differences} differences`)
  if (report.differences > 0) process.exitCode = 1
} finally {
  await service.close()
}
