// How a tool is configured: with one command, or by hand with its files and steps.
import type { ClientFile, ClientRecipe, ClientValues } from '@cowrie/sdk/clients'
import { fillTemplate } from '@cowrie/sdk/clients'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Copyable } from '../../ui/base/copyable.tsx'
import { pathsOf } from './recipe-facts.ts'
import { RecipeText } from './recipe-text.tsx'

type Props = { recipe: ClientRecipe; values: ClientValues; hasKey: boolean }

export function ToolConfiguration({ recipe, values, hasKey }: Props) {
  const { files, steps, conflictingVariables = [] } = recipe
  return (
    <>
      {files.length === 0 && <p>{t('This tool has no file for these settings. Enter them in the tool:')}</p>}
      {!hasKey && (
        <p class="help">
          <Trans
            text="Until you create a key, {placeholder} stands for it."
            placeholder={<code dir="ltr">{values.key}</code>}
          />
        </p>
      )}
      {files.map((file) => (
        <FileSnippet key={file.path.unix} file={file} values={values} />
      ))}
      {steps.length > 0 && (
        <ol class="tool-steps">
          {steps.map((step) => (
            <li key={step}>
              <RecipeText text={step} values={values} />
            </li>
          ))}
        </ol>
      )}
      {conflictingVariables.length > 0 && (
        <p class="help">
          <Trans
            text="Remove these environment variables, which take precedence: {names}."
            names={<code dir="ltr">{conflictingVariables.join(', ')}</code>}
          />
        </p>
      )}
      {files.length > 0 && <OneCommand recipe={recipe} values={values} />}
    </>
  )
}

function FileSnippet({ file, values }: { file: ClientFile; values: ClientValues }) {
  const name = file.path.unix.split('/').at(-1) ?? ''
  return (
    <div class="tool-file">
      <p>{t('Add this to the file. Keep what is there already.')}</p>
      <ul class="tool-paths" aria-label={t('Path')}>
        {pathsOf(file).map(([system, path]) => (
          <li key={path}>
            {system !== null && <span class="help">{system}: </span>}
            <code dir="ltr">{path}</code>
          </li>
        ))}
      </ul>
      <Copyable text={fillTemplate(file.snippet, values)} label={name} lines />
    </div>
  )
}

/** The command line creates its own key, so the one of this page is not needed. */
const OneCommand = ({
  recipe,
  values: { baseUrl, model },
}: {
  recipe: ClientRecipe
  values: ClientValues
}) => (
  <details class="fold tool-command">
    <summary>{t('Or with one command')}</summary>
    <p>
      {t(
        'If you have the Cowrie command line, it creates a key, shows the change and writes it when you agree. Add --undo to revert.',
      )}
    </p>
    <Copyable
      text={`cowrie setup ${recipe.id} --model ${model} --base-url ${baseUrl}`}
      label={t('the command')}
    />
  </details>
)
