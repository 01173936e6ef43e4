// Facts in the form of a till receipt: name, dotted rule, value.
import type { ComponentChildren } from 'preact'

/** A value that is missing is on its way; its place is kept. */
export type Line = readonly [name: string, value: ComponentChildren]

export const Receipt = ({ lines }: { lines: readonly Line[] }) => (
  <dl class="receipt">
    {lines.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value === null || value === undefined ? <span class="blank line" /> : <bdi>{value}</bdi>}</dd>
      </div>
    ))}
  </dl>
)
