// The features of the user and their sources. Only staff change them.
import type { MeFlagsReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { msg, t } from '../../i18n/t.ts'
import { Listing } from '../../ui/base/listing.tsx'
import { Section } from '../../ui/base/sheet.tsx'

type Flag = MeFlagsReply['sources'][number]

const SOURCES: Readonly<Record<Flag['source'], string>> = {
  org: msg('set for your organisation'),
  tier: msg('from your plan'),
  default: msg('same for everyone'),
}

export function Flags() {
  const flags = useResource('me.flags', () => api.me.flags())
  const { value } = flags.current
  if (value.state === 'loading' || (value.state === 'ready' && value.value.sources.length === 0)) return null
  return (
    <Section title={t('Features')}>
      <p>{t('Features of your organisation. Contact us to change them.')}</p>
      <Listing
        from={flags}
        items={({ sources }) => sources.map((flag) => ({ ...flag, id: flag.key }))}
        empty={null}
      >
        {(flag) => <Row flag={flag} />}
      </Listing>
    </Section>
  )
}

const Row = ({ flag }: { flag: Flag }) => (
  <div class="row">
    <div>
      <p class="row-name">
        <code dir="ltr">{flag.key}</code>
      </p>
      <p class="help">{t(SOURCES[flag.source])}</p>
    </div>
    <span class={flag.enabled ? 'chip ok' : 'chip'}>{flag.enabled ? t('On') : t('Off')}</span>
  </div>
)
