// How much of a cap is spent, for those who see it; the amounts stand beside it in words.
import { percentOf } from './percent.ts'

type Props = { spentMinor: bigint; capMinor: bigint | null }

/** Without a cap there is nothing to measure against. */
export const CapBar = ({ spentMinor, capMinor }: Props) =>
  capMinor === null ? null : (
    <meter
      class={spentMinor >= capMinor ? 'cap-bar full' : 'cap-bar'}
      aria-hidden="true"
      max={100}
      value={percentOf(spentMinor, capMinor)}
    />
  )
