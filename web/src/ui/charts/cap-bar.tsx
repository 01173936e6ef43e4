// How much of a cap is spent, as a bar. The amounts are written beside it.
import { percentOf } from './percent.ts'

/** The share from which a cap counts as nearly used up. */
export const NEAR_PERCENT = 80

type Props = { spentMinor: bigint; capMinor: bigint | null }

/** Nothing to show without a cap. */
export const CapBar = ({ spentMinor, capMinor }: Props) =>
  capMinor === null ? null : (
    <meter
      class={`cap-bar ${stateOf(spentMinor, capMinor)}`}
      aria-hidden="true"
      max={100}
      value={percentOf(spentMinor, capMinor)}
    />
  )

const stateOf = (spentMinor: bigint, capMinor: bigint): string => {
  if (spentMinor >= capMinor) return 'full'
  return percentOf(spentMinor, capMinor) >= NEAR_PERCENT ? 'near' : ''
}
