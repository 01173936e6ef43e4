// The service about itself: proof that it answers, and what exactly answers.
import { Refusal } from './refusal.tsx'
import { build } from './service.ts'

export function About() {
  const { value: current } = build.current
  if (current.state === 'failed')
    return (
      <section class="about" aria-label="Service">
        <Refusal failure={current.failure} retry={build.load} />
      </section>
    )
  const value = current.state === 'ready' ? current.value : null
  return (
    <section class="about" aria-labelledby="about-title" aria-busy={value === null}>
      <h2 id="about-title" class="small-title">
        Service
      </h2>
      <dl class="receipt">
        <Line name="State" value={value && <span class="ok">Answering</span>} />
        <Line name="Version" value={value?.version} />
        <Line name="Environment" value={value?.environment} />
        <Line name="API version" value={value?.apiVersion} />
      </dl>
      <p>
        <a href="/docs">Read the API reference</a>
      </p>
    </section>
  )
}

const Line = ({ name, value }: { name: string; value: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? <span class="blank line" />}</dd>
  </div>
)
