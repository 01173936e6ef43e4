// The page leaves for an address from its own query.
const next = new URLSearchParams(window.location.search).get('next')

document.querySelector('#continue').addEventListener('click', () => {
  window.location.assign(next) // ← here
})
location.replace(new URLSearchParams(location.search).get('to')) // ← here
