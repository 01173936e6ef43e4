// Examples for using a key. They read it from the environment, because shells record commands in their history.
import { useSignal } from '@preact/signals'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Copyable } from '../../ui/base/copyable.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'

const EXAMPLES: readonly (readonly [id: string, name: string, write: (origin: string) => string])[] = [
  [
    'curl',
    'curl',
    (origin) => `curl ${origin}/v1/models \\
  -H "Authorization: Bearer $COWRIE_API_KEY"`,
  ],
  [
    'python',
    'Python',
    (origin) => `import os
from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",
    api_key=os.environ["COWRIE_API_KEY"],
)
model = client.models.list().data[0].id
answer = client.chat.completions.create(
    model=model,
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
  ],
  [
    'javascript',
    'JavaScript',
    (origin) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/v1',
  apiKey: process.env.COWRIE_API_KEY,
})
const { data: [model] } = await client.models.list()
const answer = await client.chat.completions.create({
  model: model.id,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`,
  ],
  [
    'cli',
    'Cowrie CLI',
    (origin) => `export COWRIE_URL=${origin}
# COWRIE_API_KEY is read as well
cowrie auth status`,
  ],
]

export function KeyExamples() {
  const chosen = useSignal('curl')
  return (
    <Section title={t('How to use a key')}>
      <p>
        <Trans
          text="Put the key into the variable {variable}. Code written for OpenAI works with our address."
          variable={<code dir="ltr">COWRIE_API_KEY</code>}
        />
      </p>
      <Tabs
        label={t('Examples')}
        chosen={chosen}
        tabs={EXAMPLES.map(([id, name, write]) => ({
          id,
          name,
          view: () => <Copyable key={id} text={write(location.origin)} label={t('the example')} lines />,
        }))}
      />
    </Section>
  )
}
