// All content of an organisation is deleted, wherever it is and whatever was going on with it.
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { tablesOf } from './content-tables.ts'
import { clearTables } from './move/clear-tables.ts'
import { alone, dropSchema, forgetPlace, inTurn, standingOf, takeOver } from './move/move-sql.ts'
import { dropHalfMade } from './move/worker.ts'
import type { World } from './prepare-target.ts'
import type { Site, Turn } from './table-location.ts'

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
  if (standing?.place === 'dedicated') await world.dedicated.drop(org)
  else if (standing?.movingTo === 'dedicated' || standing?.leftIn === 'dedicated')
    await dropHalfMade(world, org)
  const shared: Site = { sql: world.owner, schema: 'public' }
  await clearTables(shared, turn, await tablesOf(shared), async () => undefined)
  await inTurn(shared, turn, async (tx) => {
    await dropSchema(tx, org)
    await forgetPlace(tx, org)
  })
  world.notify(org)
  return true
}
