// A class of another file receives the settings.
import { Widget } from './widget.js'

export class Toolbar extends Widget {
  render(element) {
    const settings = this.options
    element.innerHTML = '<button title="' + settings.label + '"></button>' // ← here
  }
}
