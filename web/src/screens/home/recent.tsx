// The newest runs, research and chats. Each list is loaded when it scrolls into view.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { showsCosts } from '../../data/preferences/switches.ts'
import { useResource } from '../../data/resource.ts'
import { formatDateTime } from '../../i18n/format.ts'
import type { Currency } from '../../i18n/money.ts'
import { msg, t } from '../../i18n/t.ts'
import { Amount } from '../../ui/base/amount.tsx'
import { Listing } from '../../ui/base/listing.tsx'
import { Section } from '../../ui/base/sheet.tsx'

const FEW = 5

export const Recent = ({ currency }: { currency: Currency }) => (
  <div class="home-lists">
    <RecentSection title={t('Agent runs')} all="/app/agent/runs">
      <Runs currency={currency} />
    </RecentSection>
    <RecentSection title={t('Research')} all="/app/research">
      <Researches currency={currency} />
    </RecentSection>
    <RecentSection title={t('Chats')} all="/app/chat">
      <Chats />
    </RecentSection>
  </div>
)

/** With data saver on, each list is loaded on request. */
function RecentSection({
  title,
  all,
  children,
}: {
  title: string
  all: string
  children: ComponentChildren
}) {
  const place = useRef<HTMLDivElement>(null)
  const isWanted = useSignal(false)
  useEffect(() => {
    const { current } = place
    if (!current || isSaving.peek()) return
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) isWanted.value = true
    })
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  return (
    <Section title={title}>
      <div ref={place} class="recent">
        {isWanted.value && children}
        {!isWanted.value && isSaving.value && (
          <button
            type="button"
            onClick={() => {
              isWanted.value = true
            }}
          >
            {t('Show')}
          </button>
        )}
      </div>
      <p class="onward">
        <a href={all}>{t('Show all')}</a>
      </p>
    </Section>
  )
}

const RUN_STATES: Readonly<Record<string, string>> = {
  running: msg('Running'),
  completed: msg('Completed'),
  cancelled: msg('Stopped'),
  failed: msg('Failed'),
}

function Runs({ currency }: { currency: Currency }) {
  const from = useResource('home.runs', () => api.agent.runs.list({ limit: FEW }))
  return (
    <Listing from={from} items={({ runs }) => runs} empty={t('No runs yet.')}>
      {({ id, prompt, status, verified, costMinor, createdAt }) => (
        <Line
          href={`/app/agent/runs/${id}`}
          title={prompt}
          state={verified ? t('Tests passed') : t(RUN_STATES[status] ?? status)}
          at={createdAt}
          cost={showsCosts.value && <Amount minor={costMinor} currency={currency} />}
        />
      )}
    </Listing>
  )
}

function Researches({ currency }: { currency: Currency }) {
  const from = useResource('home.research', () => api.research.list({ limit: FEW }))
  return (
    <Listing from={from} items={({ runs }) => runs} empty={t('No research yet.')}>
      {({ id, question, status, spentMinor, refundedMinor, createdAt }) => (
        <Line
          href={`/app/research/${id}`}
          title={question}
          state={t(RUN_STATES[status] ?? status)}
          at={createdAt}
          cost={showsCosts.value && <Amount minor={spentMinor - refundedMinor} currency={currency} />}
        />
      )}
    </Listing>
  )
}

function Chats() {
  const from = useResource('home.chats', () => api.chat.threads.list({ limit: FEW }))
  return (
    <Listing from={from} items={({ threads }) => threads} empty={t('No chats yet.')}>
      {({ id, title, busy, updatedAt }) => (
        <Line
          href={`/app/chat/${id}`}
          title={title || t('New chat')}
          state={busy ? t('Writing …') : ''}
          at={updatedAt}
        />
      )}
    </Listing>
  )
}

type LineProps = { href: string; title: string; state: string; at: string; cost?: ComponentChildren }

const Line = ({ href, title, state, at, cost }: LineProps) => (
  <a class="recent-line" href={href}>
    <bdi class="recent-title">{title}</bdi>
    <span class="help">{[state, formatDateTime(at)].filter(Boolean).join(' · ')}</span>
    {cost}
  </a>
)
