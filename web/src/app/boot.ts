// Runs before the first paint, alone and small: colours must not change under the reader's eyes.
import { wearRemembered } from './appearance.ts'

wearRemembered()
