// Chooses the next action of an organisation at random.
import { chooseWeighted } from '@cowrie/testkit/harness/seeded.ts'
import { isPaid } from '../checks/expected-subscription.ts'
import type { SimOrg } from '../org.ts'
import { addMember, removeMember } from '../sql.ts'
import type { World } from '../world.ts'
import { addCard, changeCardBehaviour, finishOpenPage, preferCard, removeCard } from './cards.ts'
import { cancel, changePlan, changeSeats, checkOut, preview } from './plans.ts'
import { payInvoice, readInvoices, readPlan, readSummary } from './reads.ts'
import { refund, spend, topUp } from './wallet.ts'

type Act = (world: World, org: SimOrg) => Promise<void>

const ACTS = {
  checkOut,
  preview,
  changePlan,
  changeSeats,
  cancel,
  addCard,
  preferCard,
  removeCard,
  changeMood: changeCardBehaviour,
  comeBack: finishOpenPage,
  topUp,
  spend,
  refund,
  payInvoice,
  readPlan,
  readSummary,
  readInvoices,
  hire,
  dismiss,
} satisfies Record<string, Act>
type ActName = keyof typeof ACTS
type Weights = Readonly<Record<ActName, number>>

const ALWAYS: Omit<
  Weights,
  'checkOut' | 'preview' | 'changePlan' | 'changeSeats' | 'cancel' | 'payInvoice' | 'spend'
> = {
  ...{ addCard: 5, preferCard: 3, removeCard: 3, changeMood: 12, comeBack: 6, topUp: 6, refund: 2 },
  ...{ readPlan: 4, readSummary: 2, readInvoices: 2, hire: 3, dismiss: 2 },
}
const WITHOUT_PLAN: Weights = {
  ...ALWAYS,
  ...{ checkOut: 90, preview: 0, changePlan: 2, changeSeats: 1, cancel: 1, payInvoice: 1, spend: 5 },
}
const WITH_PLAN: Weights = {
  ...ALWAYS,
  ...{ checkOut: 3, preview: 10, changePlan: 16, changeSeats: 10, cancel: 4, payInvoice: 0, spend: 25 },
}
const PREVIEWED: Weights = { ...WITH_PLAN, changePlan: 60, changeSeats: 40 }
const PAST_DUE: Weights = { ...WITH_PLAN, payInvoice: 30, addCard: 20, changePlan: 6, changeSeats: 3 }

/** Performs one random action. */
export async function performAction(world: World, org: SimOrg): Promise<void> {
  const name = chooseWeighted(org.random, weightsOf(org))
  org.note(`— ${name}`)
  world.tally.add(`acts ${name}`)
  await ACTS[name](world, org)
}

function weightsOf({ state, previews }: SimOrg): Weights {
  if (!state) return WITHOUT_PLAN
  if (state.status === 'past_due') return PAST_DUE
  return previews.size > 0 ? PREVIEWED : WITH_PLAN
}

const MEMBERS_MAX = 7

/** Adds a member if there is a free seat. */
async function hire(world: World, org: SimOrg): Promise<void> {
  const { state } = org
  const seats = state && isPaid(state) ? state.seats : org.ownSeats
  if (org.members >= Math.min(seats, MEMBERS_MAX)) return
  const [server] = world.replicas
  const { userId } = await server.person()
  await addMember(world.sql, org.owner.orgId, userId, world.clock.now())
  org.members++
}

async function dismiss(world: World, org: SimOrg): Promise<void> {
  org.members -= await removeMember(world.sql, org.owner.orgId)
}
