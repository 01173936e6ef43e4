const button = document.querySelector('.open')
const box = document.querySelector('.box')
button.addEventListener('click', () => {
  box.innerHTML = button.getAttribute('data-title') // ← here
})
