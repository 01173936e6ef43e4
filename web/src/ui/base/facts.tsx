// A list of facts that looks like a receipt: name, dotted rule, value.
import type { ComponentChildren } from 'preact'

/** A missing value is still loading and shows a placeholder. */
export type Fact = readonly [name: string, value: ComponentChildren]

export const Facts = ({ lines }: { lines: readonly Fact[] }) => (
  <dl class="receipt">
    {lines.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value === null || value === undefined ? <span class="blank line" /> : <bdi>{value}</bdi>}</dd>
      </div>
    ))}
  </dl>
)
