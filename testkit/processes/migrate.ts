// A process that migrates a database and can be killed meanwhile, also in the middle of a named migration.
import { migrate } from '@cowrie/server/src/platform/db/migrations/migrate.ts'
import { readFunctions, readMigrations } from '@cowrie/server/src/platform/db/migrations/sql-files.ts'

const [url = '', stuckIn] = process.argv.slice(2)
const migrations = readMigrations()
const { applied } = await migrate(url, {
  migrations: migrations.map((step) =>
    step.name === stuckIn ? { ...step, text: `${step.text}; select pg_sleep(60)` } : step,
  ),
  functions: readFunctions(),
})
process.stdout.write(`${applied.length}\n`)
