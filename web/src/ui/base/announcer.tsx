// Announces changes on the screen to screen readers.
import { signal } from '@preact/signals'

const announced = signal('')

/** Repeats of the same text are announced again. */
export function announce(text: string): void {
  announced.value = announced.value === text ? `${text}\u00a0` : text
}

export const Announcer = () => (
  <p class="unseen" role="status">
    {announced}
  </p>
)
