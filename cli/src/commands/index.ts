// All commands, in the order the help shows them.
import type { Command } from '../command.ts'
import { call } from './call.ts'
import { health } from './health.ts'
import { keys } from './keys.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { me } from './me.ts'
import { version } from './version.ts'

export const commands: readonly Command[] = [login, logout, me, ...keys, call, health, version]
