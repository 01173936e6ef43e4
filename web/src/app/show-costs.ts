// Whether each answer shows what it cost. On unless the reader hides it: some find it hard to think beside a running sum.
import { keptSwitch } from './kept-switch.ts'

export const { isOn: showsCosts, turn: setShowsCosts } = keptSwitch('cowrie.show-costs')
