// All commands, in the order of the help.
import type { Command } from '../command.ts'
import { approvals } from './admin/approvals.ts'
import { paymentsRefund } from './admin/payments-refund.ts'
import { railsDoctor } from './admin/rails-doctor.ts'
import { railsRegisterUrls } from './admin/rails-register-urls.ts'
import { railsRoutes } from './admin/rails-routes.ts'
import { reconcile } from './admin/reconcile.ts'
import { secrets } from './admin/secrets.ts'
import { apply } from './agent/apply.ts'
import { chat } from './agent/chat.ts'
import { indexPush } from './agent/index-push.ts'
import { indexClear, indexSearch, indexStatus } from './agent/index-search.ts'
import { mcp } from './agent/mcp.ts'
import { quote } from './agent/quote.ts'
import { research } from './agent/research.ts'
import { reviewScan } from './agent/review.ts'
import { loop, run } from './agent/run.ts'
import { runs } from './agent/runs.ts'
import { undo } from './agent/undo.ts'
import { accountEmail } from './auth/account-email.ts'
import { keys } from './auth/keys.ts'
import { login } from './auth/login.ts'
import { logout } from './auth/logout.ts'
import { org } from './auth/org.ts'
import { orgIpAllowList } from './auth/org-ip-allow-list.ts'
import { ssoScim } from './auth/sso-scim.ts'
import { status } from './auth/status.ts'
import { token } from './auth/token.ts'
import { invoices } from './billing/invoices.ts'
import { plan } from './billing/plan.ts'
import { team } from './billing/team.ts'
import { usage } from './billing/usage.ts'
import { verify } from './billing/verify.ts'
import { wallet } from './billing/wallet.ts'
import { logs } from './clients/logs.ts'
import { models } from './clients/models.ts'
import { setup } from './clients/setup.ts'
import { exec } from './session/exec.ts'
import { resume } from './session/resume.ts'
import { session } from './session/session.ts'
import { api } from './tools/api.ts'
import { completionOf } from './tools/completion.ts'
import { config } from './tools/config.ts'
import { doctor } from './tools/doctor.ts'
import { health } from './tools/health.ts'
import { open } from './tools/open.ts'
import { version } from './tools/version.ts'

export const commands: readonly Command[] = [
  login,
  status,
  token,
  logout,
  accountEmail,
  ...org,
  orgIpAllowList,
  ...wallet,
  verify,
  usage,
  ...team,
  ...plan,
  ...invoices,
  ...keys,
  ...ssoScim,
  models,
  setup,
  logs,
  session,
  exec,
  resume,
  quote,
  run,
  loop,
  ...runs,
  apply,
  undo,
  chat,
  mcp,
  ...research,
  indexPush,
  indexStatus,
  indexSearch,
  indexClear,
  reviewScan,
  ...config,
  open,
  doctor,
  railsDoctor,
  railsRoutes,
  approvals,
  paymentsRefund,
  reconcile,
  secrets,
  railsRegisterUrls,
  api,
  health,
  version,
  ...completionOf(() => commands),
]
