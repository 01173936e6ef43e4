import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-ERR-01',
    bad: [
      `app.use((err, req, res, next) => {
  res.status(500).send(err.stack) // ← here
})`,
      `app.get('/x', async (req, res) => {
  try { await work() } catch (error) { res.status(500).json({ error: error.message, stack: error.stack }) } // ← here
})`,
      `require('http').createServer((req, res) => { try { work() } catch (e) { res.end(e.stack) } })`,
    ],
    good: [
      `app.use((err, req, res, next) => { console.error(err.stack); res.status(500).send('Something broke') })`,
      `app.use((err, req, res, next) => {
  if (process.env.NODE_ENV === 'development') res.send(err.stack)
  else res.status(500).end()
})`,
      `app.use((err, req, res, next) => res.json({ stack: isProduction ? undefined : err.stack }))`,
    ],
  },
  {
    rule: 'JS-MSG-01',
    bad: [
      `window.addEventListener('message', (event) => { // ← here
  document.getElementById('x').innerHTML = event.data
})`,
      `addEventListener.call
window.addEventListener('message', function (e) { eval(e.data.code) })`,
      `function go(event) { window.location.href = event.data.url }
window.addEventListener('message', go) // ← here`,
    ],
    good: [
      `window.addEventListener('message', (event) => {
  if (event.origin !== 'https://app.example') return
  document.body.innerHTML = event.data
})`,
      `worker.addEventListener('message', (event) => { document.body.innerHTML = event.data })`,
      `window.addEventListener('message', (event) => console.log(event.data))`,
    ],
  },
]
