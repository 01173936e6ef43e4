// Beside Send: where the tools run, and the model.
import type { Task } from '@cowrie/sdk'
import type { Signal } from '@preact/signals'
import { t } from '../../../i18n/t.ts'
import { ModelPicker } from '../model-picker.tsx'

export const NextOptions = ({ task: { workspace }, model }: { task: Task; model: Signal<string> }) => (
  <>
    {workspace.kind === 'client' && (
      <p class="help">
        {t('The terminal on {name} runs the tools. Keep cowrie open there.', { name: workspace.name })}
      </p>
    )}
    <ModelPicker id="model" value={model.value} onChoose={(chosen) => (model.value = chosen)} />
  </>
)
