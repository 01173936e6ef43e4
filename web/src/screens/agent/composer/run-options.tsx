// Options of a run: once or until the tests pass, model lane, and spending limit.
import type { ComponentChildren } from 'preact'
import type { Me } from '../../../data/session.ts'
import { msg, t, tn } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { maxRounds, type RunOptions, type Sandbox } from './task.ts'

const SANDBOXES: Readonly<Record<Sandbox, string>> = {
  local: msg('In a sandbox on our machines'),
  docker: msg('In a container'),
  none: msg('Do not run the tests'),
}

type Props = {
  options: RunOptions
  me: Me
  limitFault: string | null
  put: (by: Partial<RunOptions>) => void
}

export function RunOptionFields({ options, me, limitFault, put }: Props) {
  const isLoop = options.kind === 'loop'
  return (
    <>
      <fieldset class="field manner">
        <legend>{t('Mode')}</legend>
        <KindOption kind="run" options={options} put={put} help={t('One answer, no tests.')}>
          {t('Run once')}
        </KindOption>
        <KindOption kind="loop" options={options} put={put} help={t('Plans, edits, tests and retries.')}>
          {t('Until the tests pass')}
        </KindOption>
      </fieldset>
      {isLoop && <LoopFields options={options} tier={me.orgPolicy.tier} put={put} />}
      <details class="more-manner" open={options.frontier || options.limit !== ''}>
        <summary>{t('Lane and limit')}</summary>
        <LaneField options={options} me={me} put={put} />
        <Field
          name="limit"
          label={t('Spend at most ({currency})', { currency: me.currency.code })}
          help={t('If empty, the limit is the price above the button.')}
          error={limitFault}
          dir="ltr"
          inputMode="decimal"
          autocomplete="off"
          maxLength={24}
          value={options.limit}
          onInput={(event) => put({ limit: event.currentTarget.value })}
        />
      </details>
    </>
  )
}

type KindProps = Pick<Props, 'options' | 'put'> & {
  kind: RunOptions['kind']
  help: string
  children: ComponentChildren
}

const KindOption = ({ kind, options, put, help, children }: KindProps) => (
  <label class="tick">
    <input
      type="radio"
      name="kind"
      value={kind}
      checked={options.kind === kind}
      onChange={() => put({ kind })}
    />
    <span>
      {children} <span class="help">{help}</span>
    </span>
  </label>
)

function LoopFields({ options, tier, put }: Pick<Props, 'options' | 'put'> & { tier: string }) {
  const most = maxRounds(tier)
  const rounds = Math.min(options.rounds, most)
  return (
    <div class="loop-fields">
      <Field
        name="testCmd"
        label={t('Test command')}
        help={t('For example npm test. Without one, the result is not verified.')}
        dir="ltr"
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        maxLength={2_000}
        value={options.testCommand}
        onInput={(event) => put({ testCommand: event.currentTarget.value })}
      />
      <div class="field">
        <label for="sandbox">{t('Where the tests run')}</label>
        <select
          id="sandbox"
          name="sandbox"
          value={options.sandbox}
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
          <Trans
            text="Your plan allows {most}. {more}"
            most={String(most)}
            more={tier === 'enterprise' ? '' : <a href="/app/billing">{t('Plans with higher limits')}</a>}
          />
        </p>
      </div>
      <label class="tick">
        <input
          type="checkbox"
          checked={options.mayEditTests}
          onChange={(event) => put({ mayEditTests: event.currentTarget.checked })}
        />
        <span>{t('Allow changes to tests')}</span>
      </label>
    </div>
  )
}

function LaneField({ options, me, put }: Pick<Props, 'options' | 'me' | 'put'>) {
  const isAllowed = me.orgPolicy.allowedLanes.includes('frontier')
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={options.frontier && isAllowed}
        disabled={!isAllowed}
        onChange={(event) => put({ frontier: event.currentTarget.checked })}
      />
      <span>
        {t('Frontier lane: stronger, costs more')}{' '}
        {!isAllowed && (
          <span class="help">
            {t('Your organisation’s policy does not allow it. Contact us to change it.')}
          </span>
        )}
      </span>
    </label>
  )
}
