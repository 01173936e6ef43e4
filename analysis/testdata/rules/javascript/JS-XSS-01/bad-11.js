// A plugin adds a function to the renderer of its host.
module.exports = function plugin(host) {
  host.renderer.rules.fence = function (tokens, index) {
    const language = tokens[index].info
    const name = language ? ` class="language-${language}"` : ''
    return `<pre><code${name}></code></pre>` // ← here
  }
}
