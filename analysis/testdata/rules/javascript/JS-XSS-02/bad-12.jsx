// Renderers of markdown keep HTML.
import { marked } from 'marked'

export function Preview(props) {
  return <div dangerouslySetInnerHTML={{ __html: marked(props.value) }} /> // ← here
}
