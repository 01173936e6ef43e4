// A translated sentence with elements in it: `text` has placeholders such as `{terms}`, and a prop of the same name fills each.
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
