// None of these turns may be verified.
import type { Cheat } from './cheat.ts'
import { JAVASCRIPT_CHEATS } from './javascript-cheats.ts'
import { OTHER_CHEATS } from './other-cheats.ts'
import { RUNNER_CHEATS } from './runner-cheats.ts'

export type { Cheat } from './cheat.ts'
export const CHEATS: readonly Cheat[] = [...JAVASCRIPT_CHEATS, ...OTHER_CHEATS, ...RUNNER_CHEATS]
