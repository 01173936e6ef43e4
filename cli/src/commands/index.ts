// All commands, in the order the help shows them.
import type { Command } from '../command.ts'
import { call } from './call.ts'
import { health } from './health.ts'
import { me } from './me.ts'
import { version } from './version.ts'

export const commands: readonly Command[] = [me, call, health, version]
