// A strip of cloth whose density shows a quantity: budget used, days left, steps of a run. Never decoration.
//
//   <Weave of={0.62} label={…} />     <Weave of={3 / 8} steps={8} tone="warn" />
//
// Woven is the quantity; the bare warp is the rest. Without `label` the same figure must stand beside it as text.
import { useId } from 'preact/hooks'

type Props = {
  /** 0 to 1. */
  of: number
  /** Divides the cloth into this many pieces. */
  steps?: number
  label?: string
  tone?: 'accent' | 'ok' | 'warn' | 'bad'
}

const HEIGHT = 12

export function Weave({ of, steps, label, tone = 'accent' }: Props) {
  const id = useId()
  const share = Math.min(1, Math.max(0, of))
  return (
    <svg
      class={`cloth ${tone}`}
      width="100%"
      height={HEIGHT}
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
    >
      <defs>
        <pattern id={`${id}-woven`} width="8" height="8" patternUnits="userSpaceOnUse">
          <path class="weft" d="M0 0H4V4H0ZM4 4H8V8H4Z" />
          <path class="warp" d="M4 0H8V4H4ZM0 4H4V8H0Z" />
        </pattern>
        <pattern id={`${id}-bare`} width="8" height="8" patternUnits="userSpaceOnUse">
          <path class="thread" d="M2 0V8M6 0V8" />
        </pattern>
      </defs>
      <rect width="100%" height={HEIGHT} fill={`url(#${id}-bare)`} />
      <rect width={`${share * 100}%`} height={HEIGHT} fill={`url(#${id}-woven)`} />
      {steps !== undefined &&
        Array.from({ length: steps - 1 }, (_, at) => (
          <rect key={at} class="seam" x={`${((at + 1) / steps) * 100}%`} width="3" height={HEIGHT} />
        ))}
    </svg>
  )
}
