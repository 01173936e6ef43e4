// A sentence that contains elements: `<Say text="Read the {terms} first." terms={<a …>terms</a>} />`. Translations may
// change their order.
import { type ComponentChildren, Fragment } from 'preact'
import { t } from './t.ts'

type Props = { text: string } & Record<string, ComponentChildren>

export function Trans({ text, ...things }: Props) {
  const parts = t(text).split(/(\{\w+\})/)
  return (
    <>
      {parts.map((part, index) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1]
        return <Fragment key={index}>{name !== undefined && name in things ? things[name] : part}</Fragment>
      })}
    </>
  )
}
