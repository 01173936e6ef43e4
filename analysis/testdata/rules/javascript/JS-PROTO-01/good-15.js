// The values have no prototype.
class Frame {
  constructor() {
    this.values = Object.create(null)
  }

  set(name, value) {
    const parts = name.split('.')
    let node = this.values
    for (const part of parts.slice(0, -1)) {
      if (!node[part]) node[part] = {}
      node = node[part]
    }
    node[parts[parts.length - 1]] = value
  }
}

module.exports = Frame
