// An action in a menu. One that is not available says why.
import { useId } from 'preact/hooks'

type Props = {
  label: string
  disabledReason: string | null
  isGrave?: boolean
  onChoose: () => void
}

export function MenuAction({ label, disabledReason, isGrave = false, onChoose }: Props) {
  const reason = useId()
  return (
    <>
      <button
        type="button"
        class={isGrave ? 'grave' : undefined}
        disabled={disabledReason !== null}
        aria-describedby={disabledReason === null ? undefined : reason}
        onClick={onChoose}
      >
        {label}
      </button>
      {disabledReason !== null && (
        <p id={reason} class="help menu-reason">
          {disabledReason}
        </p>
      )}
    </>
  )
}
