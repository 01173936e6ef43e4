// The modules of the product. A module may import only those above it.
import { account } from './account/module.ts'
import { agent } from './agent/module.ts'
import { approvals } from './approvals/module.ts'
import { audit } from './audit/module.ts'
import { billing } from './billing/module.ts'
import { chat } from './chat/module.ts'
import { flags } from './flags/module.ts'
import { gateway } from './gateway/module.ts'
import { governance } from './governance/module.ts'
import { hooks } from './hooks/module.ts'
import { identity } from './identity/module.ts'
import { invoices } from './invoices/module.ts'
import { kyc } from './kyc/module.ts'
import { mcp } from './mcp/module.ts'
import { metering } from './metering/module.ts'
import { metrics } from './metrics/module.ts'
import { models } from './models/module.ts'
import { operators } from './operators/module.ts'
import { orgs } from './orgs/module.ts'
import { payments } from './payments/module.ts'
import type { Module } from './platform/module.ts'
import { projects } from './projects/module.ts'
import { push } from './push/module.ts'
import { repoIndex } from './repo-index/module.ts'
import { research } from './research/module.ts'
import { review } from './review/module.ts'
import { scan } from './scan/module.ts'
import { scim } from './scim/module.ts'
import { signIn } from './sign-in/module.ts'
import { site } from './site/module.ts'
import { sso } from './sso/module.ts'
import { tasks } from './tasks/module.ts'
import { teams } from './teams/module.ts'
import { transparency } from './transparency/module.ts'
import { wallet } from './wallet/module.ts'

const product: readonly Module[] = [
  orgs,
  transparency,
  audit,
  identity,
  signIn,
  sso,
  teams,
  scim,
  kyc,
  flags,
  governance, // access
  hooks,
  push,
  wallet,
  approvals,
  models,
  metering,
  invoices,
  payments,
  billing,
  account, // money
  scan,
  repoIndex,
  agent,
  chat,
  gateway,
  projects,
  review,
  tasks,
  research, // product
  metrics,
  operators, // operations
  site, // public pages
]

/** The MCP module exposes the routes of the others as tools. */
export const modules: readonly Module[] = [...product, mcp(product.flatMap(({ routes = [] }) => routes))]
