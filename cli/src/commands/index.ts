// All commands, in the order the help shows them.
import type { Command } from '../command.ts'
import { api } from './api.ts'
import { chat } from './chat.ts'
import { completionOf } from './completion.ts'
import { config } from './config.ts'
import { doctor } from './doctor.ts'
import { health } from './health.ts'
import { keys } from './keys.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { open } from './open.ts'
import { org } from './org.ts'
import { quote } from './quote.ts'
import { loop, run } from './run.ts'
import { runs } from './runs.ts'
import { status } from './status.ts'
import { token } from './token.ts'
import { version } from './version.ts'
import { wallet } from './wallet.ts'

export const commands: readonly Command[] = [
  login,
  status,
  token,
  logout,
  ...org,
  ...wallet,
  ...keys,
  quote,
  run,
  loop,
  ...runs,
  chat,
  ...config,
  open,
  doctor,
  api,
  health,
  version,
  ...completionOf(() => commands),
]
