// Deletes all content of an organisation in every placement, also during a move.
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { readContentTables } from './content-tables.ts'
import type { ContentContext } from './context.ts'
import { clearTables } from './move/clear-tables.ts'
import {
  acquireFence,
  deletePlacement,
  dropSchema,
  readMoveState,
  runFenced,
  withMoverLock,
} from './move/move-sql.ts'
import { dropUnusedDatabase } from './move/worker.ts'
import type { MoverFence, TableLocation } from './table-location.ts'

const POLL_MS = 100
const POLLS_MAX = 100

/** Waits for a running mover; after ten seconds it fails with `busy`. Can be repeated after an interruption. */
export async function deleteContent(context: ContentContext, org: OrgId): Promise<void> {
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    if (await withMoverLock(context.locks, org, () => deleteLocked(context, org))) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new ApiError('busy')
}

async function deleteLocked(context: ContentContext, org: OrgId): Promise<true> {
  const fence: MoverFence = { org, mover: newId('mvr') }
  await acquireFence(context.owner, fence)
  const state = await readMoveState(context.owner, org)
  if (state?.place === 'dedicated') await context.dedicated.drop(org)
  else if (state?.movingTo === 'dedicated' || state?.leftIn === 'dedicated')
    await dropUnusedDatabase(context, org)
  const shared: TableLocation = { sql: context.owner, schema: 'public' }
  await clearTables(shared, fence, await readContentTables(shared), async () => undefined)
  await runFenced(shared, fence, async (tx) => {
    await dropSchema(tx, org)
    await deletePlacement(tx, org)
  })
  context.notify(org)
  return true
}
