// A checkbox with its label.
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export const Checkbox = ({ on, children }: { on: Signal<boolean>; children: ComponentChildren }) => (
  <label class="tick">
    <input
      type="checkbox"
      checked={on.value}
      onChange={(event) => {
        on.value = event.currentTarget.checked
      }}
    />
    <span>{children}</span>
  </label>
)
