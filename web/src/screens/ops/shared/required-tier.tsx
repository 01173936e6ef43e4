// Why a control is there but cannot be used: it names the tiers that may.
import { type Deed, may, needsWords } from './tiers.ts'

/** Silent for those who may. `id` is what the disabled control is described by. */
export const Needs = ({ deed, id }: { deed: Deed; id?: string }) =>
  may(deed) ? null : (
    <p class="help needs" id={id}>
      {needsWords(deed)}
    </p>
  )
