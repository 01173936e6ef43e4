// A sentence of a recipe with the values of this user. The test of translations reads these texts from the recipes.
import { type ClientValues, fillTemplate } from '@cowrie/sdk/clients'
import { Fragment } from 'preact'
import { t } from '../../i18n/t.ts'

/** A placeholder, with the path that follows it. */
const VALUE = /(\{[a-zA-Z]+\}(?:\/[\w/]+)?)/

export const RecipeText = ({ text, values }: { text: string; values: ClientValues }) => (
  <>
    {t(text)
      .split(VALUE)
      .map((part, index) =>
        part.startsWith('{') ? (
          <code key={index} dir="ltr">
            {fillTemplate(part, values)}
          </code>
        ) : (
          <Fragment key={index}>{part}</Fragment>
        ),
      )}
  </>
)
