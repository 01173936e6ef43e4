// A tag is built from the options of a plugin and appended to an element in a variable.
import $ from 'jquery'

export function choose(options: { inputs: { value: string; text: string }[] }) {
  const list = $('<select>')
  for (const each of options.inputs) list.append('<option value="' + each.value + '">' + each.text + '</option>') // ← here
  return list
}
