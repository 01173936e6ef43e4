// The service about itself: proof that it answers, and what exactly answers.
import { Receipt } from './receipt.tsx'
import { Refusal } from './refusal.tsx'
import { build } from './service.ts'

export function About() {
  const current = build.current.value
  const known = current.state === 'ready' ? current.value : null
  return (
    <section class="about" aria-labelledby="about-title" aria-busy={current.state === 'loading'}>
      <h2 id="about-title" class="small-title">
        Service
      </h2>
      {current.state === 'failed' ? (
        <Refusal failure={current.failure} retry={build.load} />
      ) : (
        <Receipt
          lines={[
            ['State', known && <span class="ok">Answering</span>],
            ['Version', known?.version],
            ['Environment', known?.environment],
            ['API version', known?.apiVersion],
          ]}
        />
      )}
      <p>
        <a href="/docs">Read the API reference</a>
      </p>
    </section>
  )
}
