// Options of a run: once or until the tests pass, model lane, and spending limit.
import type { ComponentChildren } from 'preact'
import type { Me } from '../../../data/session.ts'
import { Say } from '../../../i18n/message.tsx'
import { msg, t, tn } from '../../../i18n/t.ts'
import { Field } from '../../../ui/form/field.tsx'
import { type Manner, roundsFor, type Sandbox } from './task.ts'

const SANDBOXES: Readonly<Record<Sandbox, string>> = {
  local: msg('In an isolated room on our machines'),
  docker: msg('In a container'),
  none: msg('Do not run the tests'),
}

type Props = { manner: Manner; me: Me; limitFault: string | null; put: (by: Partial<Manner>) => void }

export function MannerFields({ manner, me, limitFault, put }: Props) {
  const isLoop = manner.kind === 'loop'
  return (
    <>
      <fieldset class="field manner">
        <legend>{t('How')}</legend>
        <Way kind="run" manner={manner} put={put} help={t('One answer, nothing is run.')}>
          {t('Run once')}
        </Way>
        <Way kind="loop" manner={manner} put={put} help={t('Plans, edits, tests and tries again.')}>
          {t('Until the tests pass')}
        </Way>
      </fieldset>
      {isLoop && <LoopFields manner={manner} tier={me.orgPolicy.tier} put={put} />}
      <details class="more-manner" open={manner.frontier || manner.limit !== ''}>
        <summary>{t('Lane and limit')}</summary>
        <Lane manner={manner} me={me} put={put} />
        <Field
          name="limit"
          label={t('Spend at most ({currency})', { currency: me.currency.code })}
          help={t('Leave it empty to go by the price above the button.')}
          fault={limitFault}
          dir="ltr"
          inputMode="decimal"
          autocomplete="off"
          maxLength={24}
          value={manner.limit}
          onInput={(event) => put({ limit: event.currentTarget.value })}
        />
      </details>
    </>
  )
}

type WayProps = Pick<Props, 'manner' | 'put'> & {
  kind: Manner['kind']
  help: string
  children: ComponentChildren
}

const Way = ({ kind, manner, put, help, children }: WayProps) => (
  <label class="tick">
    <input
      type="radio"
      name="kind"
      value={kind}
      checked={manner.kind === kind}
      onChange={() => put({ kind })}
    />
    <span>
      {children} <span class="help">{help}</span>
    </span>
  </label>
)

function LoopFields({ manner, tier, put }: Pick<Props, 'manner' | 'put'> & { tier: string }) {
  const most = roundsFor(tier)
  const rounds = Math.min(manner.rounds, most)
  return (
    <div class="loop-fields">
      <Field
        name="testCmd"
        label={t('Test command')}
        help={t('Such as npm test. Without one nothing is run, and the result is not verified.')}
        dir="ltr"
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        maxLength={2_000}
        value={manner.testCommand}
        onInput={(event) => put({ testCommand: event.currentTarget.value })}
      />
      <div class="field">
        <label for="sandbox">{t('Where the tests run')}</label>
        <select
          id="sandbox"
          name="sandbox"
          value={manner.sandbox}
          onChange={(event) => put({ sandbox: event.currentTarget.value as Sandbox })}
        >
          {Object.entries(SANDBOXES).map(([name, words]) => (
            <option key={name} value={name}>
              {t(words)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="rounds">{tn(rounds, 'At most {n} round', 'At most {n} rounds')}</label>
        <input
          id="rounds"
          name="rounds"
          type="range"
          min={1}
          max={most}
          value={rounds}
          aria-describedby="rounds-help"
          onInput={(event) => put({ rounds: Number(event.currentTarget.value) })}
        />
        <p id="rounds-help" class="help">
          <Say
            text="Your plan allows {most}. {more}"
            most={String(most)}
            more={tier === 'enterprise' ? '' : <a href="/app/billing">{t('Others allow more')}</a>}
          />
        </p>
      </div>
      <label class="tick">
        <input
          type="checkbox"
          checked={manner.mayEditTests}
          onChange={(event) => put({ mayEditTests: event.currentTarget.checked })}
        />
        <span>{t('It may change the tests as well')}</span>
      </label>
    </div>
  )
}

function Lane({ manner, me, put }: Pick<Props, 'manner' | 'me' | 'put'>) {
  const isAllowed = me.orgPolicy.allowedLanes.includes('frontier')
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={manner.frontier && isAllowed}
        disabled={!isAllowed}
        onChange={(event) => put({ frontier: event.currentTarget.checked })}
      />
      <span>
        {t('Frontier lane: stronger and dearer')}{' '}
        {!isAllowed && (
          <span class="help">
            {t('Your organisation’s policy does not allow it; our staff can change that.')}
          </span>
        )}
      </span>
    </label>
  )
}
