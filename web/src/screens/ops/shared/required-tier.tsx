// The tiers that may use a disabled control.
import { type Deed, may, needsWords } from './tiers.ts'

/** Empty for users who may. `id` is for `aria-describedby` of the control. */
export const Needs = ({ deed, id }: { deed: Deed; id?: string }) =>
  may(deed) ? null : (
    <p class="help needs" id={id}>
      {needsWords(deed)}
    </p>
  )
