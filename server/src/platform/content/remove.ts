// All content of an organisation is deleted, wherever it is and whatever was going on with it.
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { codeOf } from '../db/faults.ts'
import { clearTables } from './clear.ts'
import { connected, dropDatabase } from './database-sql.ts'
import { databaseNameOf, dedicatedUrlOf, maintenanceUrlOf } from './dedicated.ts'
import { alone, dropSchema, dropTables, forgetPlace, inTurn, standingOf, takeOver } from './move-sql.ts'
import type { World } from './ready.ts'
import type { Site, Turn } from './site.ts'
import { tablesOf } from './tables-sql.ts'

const POLL_MS = 100
const POLLS_MAX = 100

/** Waits for whoever moves it; past the bound it is `busy`. Ended anywhere, it can be done again. */
export async function remove(world: World, org: OrgId): Promise<void> {
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    if (await alone(world.locks, org, () => removeAlone(world, org))) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new ApiError('busy')
}

async function removeAlone(world: World, org: OrgId): Promise<true> {
  const turn: Turn = { org, mover: newId('mvr') }
  await takeOver(world.owner, turn)
  const standing = await standingOf(world.owner, org)
  if (standing?.place === 'dedicated' || standing?.movingTo === 'dedicated') await removeDatabase(world, org)
  const shared: Site = { sql: world.owner, schema: 'public' }
  await clearTables(shared, turn, await tablesOf(shared), async () => undefined)
  await inTurn(world.owner, turn, async (tx) => {
    await dropSchema(tx, org)
    await forgetPlace(tx, org)
  })
  world.notify(org)
  return true
}

async function removeDatabase(world: World, org: OrgId): Promise<void> {
  const url = dedicatedUrlOf(world.where, org)
  world.dedicated.forget(org)
  if (await dropDatabase(maintenanceUrlOf(world.where, org), databaseNameOf(url))) return
  try {
    await connected(url, async (sql) => {
      const tables = await tablesOf({ sql, schema: 'public' })
      await dropTables(
        sql,
        tables.map(({ name }) => name),
      )
    })
  } catch (error) {
    if (codeOf(error) !== '3D000') throw error
  }
}
