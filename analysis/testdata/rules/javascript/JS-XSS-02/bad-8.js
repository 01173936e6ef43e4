// Settings of the caller replace the defaults.
const DEFAULTS = { title: '' }

export class Panel {
  constructor(element, options) {
    this.element = element
    this.options = Object.assign({}, DEFAULTS, options)
  }

  show() {
    this.element.innerHTML = '<b>' + this.options.title + '</b>' // ← here
  }
}
