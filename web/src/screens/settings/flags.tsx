// The features of the user and their sources. Only staff change them.
import type { MeFlagsReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { msg, t } from '../../i18n/t.ts'
import { Listing } from '../../ui/base/listing.tsx'
import { Section } from '../../ui/base/sheet.tsx'

type Flag = MeFlagsReply['sources'][number]

const SOURCES: Readonly<Record<Flag['source'], string>> = {
  org: msg('decided for your organisation'),
  tier: msg('comes with your plan'),
  default: msg('the same for everybody'),
}

export function Flags() {
  const flags = useResource('me.flags', () => api.me.flags())
  return (
    <Section title={t('Features')}>
      <p>{t('What is switched on for your organisation. We switch them; ask us if you miss one.')}</p>
      <Listing
        from={flags}
        items={({ sources }) => sources.map((flag) => ({ ...flag, id: flag.key }))}
        empty={t('Nothing is being tried out now: you have everything there is.')}
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
