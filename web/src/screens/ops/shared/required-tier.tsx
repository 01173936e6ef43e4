// The tiers that may use a disabled control.
import { isAllowed, requiredTierText, type StaffAction } from './tiers.ts'

/** Empty for users who may. `id` is for `aria-describedby` of the control. */
export const RequiredTier = ({ action, id }: { action: StaffAction; id?: string }) =>
  isAllowed(action) ? null : (
    <p class="help needs" id={id}>
      {requiredTierText(action)}
    </p>
  )
