// Where an organisation's own database is. It is made when content is to go there and at no other time: one that is lost later must not
// look like one that is empty. Before anybody uses it, it is brought to this build's schema.
import type { Clock } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { withDatabase } from '../db/address.ts'
import { codeOf } from '../db/faults.ts'
import { migrateDedicated } from '../db/migrate.ts'
import type { Log } from '../log/log.ts'
import { createDatabase } from './database-sql.ts'

export type DedicatedOptions = {
  /** The shared database, with the rights of its owner. */
  url: string
  /** Where databases of their own are: `{org}` stands for the organisation's id. Null: beside the shared one. */
  dedicatedUrl: string | null
  clock: Clock
  log: Log
}

/** The URL of an organisation's own database, which is ready. Asked again, it is remembered; a failure is not. */
export type Dedicated = {
  (org: OrgId): Promise<string>
  /** The same, and makes the database when it is missing. */
  make(org: OrgId): Promise<string>
  forget(org: OrgId): void
}

export function createDedicated(options: DedicatedOptions): Dedicated {
  const ready = new Map<OrgId, Promise<string>>()
  const urlOf = (org: OrgId, mayMake = false): Promise<string> => {
    const known = ready.get(org)
    if (known) return known
    const making = makeReady(options, org, mayMake).catch((error) => {
      ready.delete(org)
      options.log.warn({ orgId: org, err: error }, "an organisation's own database is not ready")
      throw error instanceof ApiError ? error : new ApiError('database_unavailable')
    })
    ready.set(org, making)
    return making
  }
  return Object.assign((org: OrgId) => urlOf(org), {
    make: (org: OrgId) => urlOf(org, true),
    forget: (org: OrgId) => void ready.delete(org),
  })
}

/** A URL that leaves no room for the organisation names the server alone: no two ever share a database. */
export function dedicatedUrlOf({ url, dedicatedUrl }: DedicatedOptions, org: OrgId): string {
  if (dedicatedUrl?.includes('{org}')) return dedicatedUrl.replaceAll('{org}', org)
  return withDatabase(dedicatedUrl ?? url, `cowrie_${org}`)
}

export function databaseNameOf(url: string): string {
  return decodeURIComponent(/^\w+:\/\/[^/]*\/([^?]+)/.exec(url)?.[1] ?? '')
}

/** A database of the same server, to make and drop others from: ours where it is that server, else the one that all have. */
export function maintenanceUrlOf(options: DedicatedOptions, org: OrgId): string {
  return options.dedicatedUrl === null ? options.url : withDatabase(dedicatedUrlOf(options, org), 'postgres')
}

async function makeReady(options: DedicatedOptions, org: OrgId, mayMake: boolean): Promise<string> {
  const url = dedicatedUrlOf(options, org)
  try {
    await migrateDedicated(url)
  } catch (error) {
    if (codeOf(error) !== NO_SUCH_DATABASE || !mayMake) throw error
    await createDatabase(maintenanceUrlOf(options, org), databaseNameOf(url))
    await migrateDedicated(url)
  }
  return url
}

const NO_SUCH_DATABASE = '3D000'
