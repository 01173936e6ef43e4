// How much of a cap is spent, as a bar. The amounts are written beside it.
import { percentOf } from './percent.ts'

type Props = { spentMinor: bigint; capMinor: bigint | null }

/** Nothing to show without a cap. */
export const CapBar = ({ spentMinor, capMinor }: Props) =>
  capMinor === null ? null : (
    <meter
      class={spentMinor >= capMinor ? 'cap-bar full' : 'cap-bar'}
      aria-hidden="true"
      max={100}
      value={percentOf(spentMinor, capMinor)}
    />
  )
