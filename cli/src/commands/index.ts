// All commands, in the order of the help.
import type { Command } from '../command.ts'
import { api } from './api.ts'
import { apply } from './apply.ts'
import { chat } from './chat.ts'
import { completionOf } from './completion.ts'
import { config } from './config.ts'
import { doctor } from './doctor.ts'
import { health } from './health.ts'
import { indexPush } from './index-push.ts'
import { indexClear, indexSearch, indexStatus } from './index-search.ts'
import { invoices } from './invoices.ts'
import { keys } from './keys.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { mcp } from './mcp.ts'
import { open } from './open.ts'
import { org } from './org.ts'
import { plan } from './plan.ts'
import { quote } from './quote.ts'
import { research } from './research.ts'
import { reviewScan } from './review.ts'
import { loop, run } from './run.ts'
import { runs } from './runs.ts'
import { status } from './status.ts'
import { team } from './team.ts'
import { token } from './token.ts'
import { undo } from './undo.ts'
import { usage } from './usage.ts'
import { version } from './version.ts'
import { wallet } from './wallet.ts'

export const commands: readonly Command[] = [
  login,
  status,
  token,
  logout,
  ...org,
  ...wallet,
  usage,
  ...team,
  ...plan,
  ...invoices,
  ...keys,
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
  api,
  health,
  version,
  ...completionOf(() => commands),
]
