// Creates elements without a framework. Text is never parsed as markup.

type Properties<K extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[K], 'dataset' | 'style'>
>

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties<K> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** An element that the page always has. */
export function requireElement<E extends HTMLElement = HTMLElement>(within: ParentNode, selector: string): E {
  const found = within.querySelector<E>(selector)
  if (!found) throw new Error(`the page has ${selector}`)
  return found
}

let counted = 0
/** A label with its control. */
export function labelled(text: string, control: HTMLElement & { id: string }): HTMLElement {
  control.id = `field-${++counted}`
  return element('div', { className: 'field' }, element('label', { htmlFor: control.id }, text), control)
}
