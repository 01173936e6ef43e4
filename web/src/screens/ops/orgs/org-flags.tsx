// The flags of an organisation with their sources, and overrides.
import type { OrgsFlagsListReply } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { msg, t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Listing } from '../../../ui/base/listing.tsx'
import type { OrgTabProps } from './org-texts.ts'
import { disabledReasonFor } from './org-texts.ts'

type EffectiveFlag = OrgsFlagsListReply['sources'][number]
const SOURCES: Readonly<Record<EffectiveFlag['source'], string>> = {
  org: msg('Set for this organisation'),
  tier: msg('Set for its tier'),
  default: msg('Inherited'),
}

export function OrgFlags({ detail: { org, members } }: Pick<OrgTabProps, 'detail'>) {
  const { orgId } = org
  const flags = useResource(`flags ${orgId}`, () => api.orgs.flags.list(orgId))
  const disabledReason = disabledReasonFor('flags', members)
  return (
    <>
      {disabledReason !== null && <p class="help needs">{disabledReason}</p>}
      <Listing
        from={flags}
        items={({ sources }) => sources.map((seen) => ({ ...seen, id: seen.key }))}
        empty={t('No flags. Create them under Flags.')}
      >
        {(seen) => (
          <Flag orgId={orgId} seen={seen} isBarred={disabledReason !== null} onChanged={flags.load} />
        )}
      </Listing>
    </>
  )
}

type Props = { orgId: string; seen: EffectiveFlag; isBarred: boolean; onChanged: () => Promise<void> }

function Flag({ orgId, seen: { key, enabled, source }, isBarred, onChanged }: Props) {
  const { run, busy, failure } = useAction(async (wanted: boolean | null) => {
    if (wanted === null) await api.orgs.flags.clear(orgId, key)
    else await api.orgs.flags.set(orgId, key, { enabled: wanted })
    await onChanged()
    announce(t('{flag} saved.', { flag: key }))
  })
  const choice = (wanted: boolean | null, words: string, label: string) => (
    <button
      type="button"
      aria-label={label}
      disabled={isBarred}
      aria-disabled={busy.value}
      onClick={() => void run(wanted)}
    >
      {words}
    </button>
  )
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <code dir="ltr">{key}</code>{' '}
          <span class={enabled ? 'chip ok' : 'chip'}>{enabled ? t('On') : t('Off')}</span>
        </p>
        <p class="help">{t(SOURCES[source])}</p>
        {failure.value && <ErrorNotice failure={failure.value} />}
      </div>
      <div class="choices">
        {enabled
          ? choice(false, t('Turn off'), t('Turn off {flag} here', { flag: key }))
          : choice(true, t('Turn on'), t('Turn on {flag} here', { flag: key }))}
        {source === 'org' && choice(null, t('Inherit'), t('Inherit {flag}', { flag: key }))}
      </div>
    </div>
  )
}
